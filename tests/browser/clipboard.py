"""What a button that copies has copied."""

from __future__ import annotations

from playwright.sync_api import Locator

# `Copied` stands there for a while only, and may be left over from the copy before: it counts
# together with what is in the clipboard, and page and clipboard are asked in one go.
COPIED = """async (outcome) =>
  outcome.textContent === "Copied" && (await navigator.clipboard.readText())"""


def copied_by(button: Locator, outcome: Locator) -> str:
    """Press the button; gives the clipboard's text once the page says that it is there."""
    page = button.page
    page.evaluate("navigator.clipboard.writeText('')")
    button.click()
    told = page.wait_for_function(COPIED, arg=outcome.element_handle())
    return str(told.json_value())
