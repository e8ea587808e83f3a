"""The playground as its user meets it: by what is written on it, not by how it is made."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

LOADED = re.compile(r"pieces · .* loaded in")

# Hands files to the page as a drop does; their bytes come in base64.
DROP = """(files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, base64] of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name));
  }
  for (const type of ["dragover", "drop"]) {
    const init = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent(type, init));
  }
}"""


class Column:
    """What the page shows of one model. Of many tokens it shows those in sight."""

    def __init__(self, panel: Locator) -> None:
        self.panel = panel
        self.facts = panel.locator(".facts")
        self.list = panel.get_by_role("listbox")
        self.tokens = self.list.get_by_role("option")
        self.card = panel.get_by_label("About the token")
        self.round_trip = panel.locator(".round-trip")

    def wait(self) -> None:
        """Wait until the tokens have followed the text."""
        expect(self.facts).to_have_text(LOADED)
        expect(self.panel).to_have_attribute("aria-busy", "false")

    def ids(self) -> list[int]:
        """The ids of the tokens, as the page shows them."""
        shown = self.tokens.evaluate_all("chips => chips.map(chip => chip.dataset.id)")
        return [int(id_) for id_ in shown]

    def shown(self) -> list[str]:
        """What is written on the tokens."""
        return self.tokens.all_inner_texts()

    def count(self, name: str) -> Locator:
        """The number above a name, such as `tokens`."""
        return count_in(self.panel, name)


def count_in(panel: Locator, name: str) -> Locator:
    """The number above a name."""
    named = panel.page.get_by_text(name, exact=True)
    return panel.locator(".counts > div").filter(has=named).locator("dd")


class Playground(Column):
    """An open playground; what is of one column is of the first."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.locator(".tokens-panel").first)
        self.page = page
        self.text = page.get_by_label("Text", exact=True).and_(page.locator("textarea"))
        self.text_panel = page.locator(".text-panel")
        self.problem = page.get_by_role("alert")
        self.ids_to_decode = page.get_by_label("Ids", exact=True).and_(page.locator("textarea"))
        self.decoded = page.locator("output")

    def open(self, address: str) -> None:
        """Go to the page and wait until its model is there."""
        self.page.goto(address)
        self.wait()

    def column(self, name: str) -> Column:
        """The column of a model."""
        heading = self.page.get_by_role("heading", name=name, exact=True)
        return Column(self.page.locator(".tokens-panel").filter(has=heading))

    def type(self, text: str) -> None:
        """Replace the text, and wait until the tokens have followed."""
        self.text.fill(text)
        self.wait()

    def text_count(self, name: str) -> Locator:
        """The number above a name below the text."""
        return count_in(self.text_panel, name)

    def choose(self, view: str) -> None:
        """Take a view by its label."""
        self.page.get_by_role("radio", name=view, exact=True).check()

    def model(self, name: str) -> Locator:
        """The check box of a model."""
        return self.page.get_by_role("checkbox", name=name, exact=True)

    def use(self, name: str) -> None:
        """Take a model and no other."""
        self.model(name).check()
        expect(self.column(name).panel).to_be_visible()
        labels = self.page.locator("label").filter(has=self.page.get_by_role("checkbox"))
        for other in labels.all_inner_texts():
            if other != name:
                self.model(other).uncheck()
        expect(self.page.locator(".tokens-panel")).to_have_count(1)
        self.wait()

    def open_files(self, *files: Path) -> None:
        """Open models through the button."""
        self.page.get_by_label("Open models").set_input_files(files)

    def open_bytes(self, name: str, content: bytes) -> None:
        """Open a file that is nowhere on the disk."""
        self.page.get_by_label("Open models").set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )

    def drop(self, *files: Path) -> None:
        """Drop files on the page."""
        contents = [(f.name, base64.b64encode(f.read_bytes()).decode("ascii")) for f in files]
        self.page.evaluate(DROP, contents)

    def store_for_offline(self) -> None:
        """Wait until the browser holds the whole site."""
        expect(self.page.get_by_text("it works offline")).to_be_visible()
