"""The lesson as its reader meets it: by what is written on it, not by how it is made."""

from __future__ import annotations

from clipboard import copied_by
from playwright.sync_api import Locator, Page, expect


class Lesson:
    """An open lesson."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = f"{address}lesson.html"

    def open(self, fragment: str = "") -> None:
        """Go to the page, or to a place in it."""
        self.page.goto(self.address + fragment)
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def lab(self, title: str) -> Locator:
        """A lab by its title."""
        return self.page.get_by_role("region", name=f"Lab {title}", exact=True)

    def table(self, caption: str) -> list[list[str]]:
        """The cells of a table, its head first."""
        table = self.page.get_by_role("table", name=caption, exact=True)
        rows = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        cells: list[list[str]] = table.locator("tr").evaluate_all(rows)
        return cells

    def link_to(self, title: str) -> str:
        """What the lab's button copies."""
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        lab = self.lab(title)
        button = lab.get_by_role("button", name="Copy link")
        return copied_by(button, lab.get_by_role("status").first)

    def reset(self, title: str) -> None:
        """Press the lab's reset."""
        self.lab(title).get_by_role("button", name="Reset").click()


def pieces(lab: Locator, strip: str) -> list[str]:
    """What is written on the pieces of a strip, without their ids."""
    return _strip(lab, strip).locator(".chip-text").all_inner_texts()


def ids(lab: Locator, strip: str) -> list[int]:
    """The ids below the pieces of a strip."""
    return [int(id_) for id_ in _strip(lab, strip).locator(".chip-id").all_inner_texts()]


def _strip(lab: Locator, name: str) -> Locator:
    return lab.get_by_role("list", name=name, exact=True)


def counts(lab: Locator) -> dict[str, int]:
    """The numbers of a lab by what is written below them."""
    rows = lab.locator(".counts > div").evaluate_all(
        "rows => rows.map(row => [row.querySelector('dt').innerText,"
        " row.querySelector('dd').innerText])"
    )
    return {name: int(count.replace(",", "")) for name, count in rows}
