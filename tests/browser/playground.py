"""The playground as its user meets it: by what is written on it, not by how it is made."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

DEMO_FACTS = re.compile(r"pieces · .* loaded in")

# Hands a file to the page as a drop does; its bytes come in base64.
DROP = """([name, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name));
  for (const type of ["dragover", "drop"]) {
    const init = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent(type, init));
  }
}"""


class Playground:
    """An open playground."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.text = page.get_by_label("Text", exact=True).and_(page.locator("textarea"))
        self.tokens = page.get_by_role("listbox", name="Tokens").get_by_role("option")
        self.facts = page.locator(".facts")
        self.problem = page.get_by_role("alert")
        self.card = page.get_by_label("About the token")
        self.round_trip = page.locator(".round-trip")
        self.ids_to_decode = page.get_by_label("Ids", exact=True).and_(page.locator("textarea"))
        self.decoded = page.locator("output")

    def open(self, address: str) -> None:
        """Go to the page and wait until its model is there."""
        self.page.goto(address)
        self.wait_for_model()

    def wait_for_model(self) -> None:
        """Wait until a model is loaded."""
        expect(self.facts).to_have_text(DEMO_FACTS)

    def type(self, text: str) -> None:
        """Replace the text, and wait until the tokens have followed."""
        self.text.fill(text)
        expect(self.count("characters")).to_have_text(f"{len(text):,}")

    def ids(self) -> list[int]:
        """The ids of the tokens, as the page shows them."""
        shown = self.tokens.evaluate_all("chips => chips.map(chip => chip.dataset.id)")
        return [int(id_) for id_ in shown]

    def shown(self) -> list[str]:
        """What is written on the tokens."""
        return self.tokens.all_inner_texts()

    def count(self, name: str) -> Locator:
        """The number above a name, such as `tokens`."""
        row = self.page.locator(".counts > div").filter(has=self.page.get_by_text(name, exact=True))
        return row.locator("dd")

    def choose(self, name: str) -> None:
        """Take a model or a view by its label."""
        self.page.get_by_role("radio", name=name, exact=True).check()

    def open_file(self, file: Path) -> None:
        """Open a model through the button."""
        self.page.get_by_label("Open a model").set_input_files(file)

    def open_bytes(self, name: str, content: bytes) -> None:
        """Open a file that is nowhere on the disk."""
        self.page.get_by_label("Open a model").set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )

    def drop(self, file: Path) -> None:
        """Drop a file on the page."""
        content = base64.b64encode(file.read_bytes()).decode("ascii")
        self.page.evaluate(DROP, [file.name, content])

    def store_for_offline(self) -> None:
        """Wait until the browser holds the whole site."""
        expect(self.page.get_by_text("it works offline")).to_be_visible()
