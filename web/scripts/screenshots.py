"""Takes pictures of the built site, web/dist/: light, dark, and as wide as a phone.

Of the playground the whole page; of the lesson, which is long, a window at a lab.

Usage: .venv/bin/python web/scripts/screenshots.py FOLDER
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

WEB = Path(__file__).resolve().parents[1]
sys.path.append(str(WEB.parent / "scripts"))

from steps import chromium, console, site  # noqa: E402


@dataclass(frozen=True)
class Shot:
    """One picture: its name, the width of the window in CSS pixels, and the colours."""

    name: str
    width: int
    colors: Literal["light", "dark"] = "light"
    pixels_per_unit: int = 1
    page: str = ""
    """The page below the site's folder, with a fragment; the playground is the folder itself."""


SHOTS = (
    Shot("playground-light", 1280),
    Shot("playground-dark", 1280, "dark"),
    Shot("playground-phone", 320, pixels_per_unit=2),
    Shot("playground-wide", 3840),
    Shot("lesson-light", 1280, page="lesson.html#bpe-trainer"),
    Shot("lesson-dark", 1280, "dark", page="lesson.html#algorithm-labs"),
    Shot("lesson-phone", 320, pixels_per_unit=2, page="lesson.html#utf8-inspector"),
    Shot("lesson-wide", 3840, page="lesson.html"),
)


def main() -> int:
    """Take all of them."""
    if len(sys.argv) != 2:
        raise console.Stop("Name the folder that the pictures go to.")
    if not (WEB / "dist" / "index.html").exists():
        raise console.Stop("There is no web/dist/: run scripts/build first.")
    folder = Path(sys.argv[1])
    found = chromium.find_or_get()
    with site.served(WEB / "dist") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.executable, args=list(found.arguments)
        )
        for shot in SHOTS:
            take(shot, browser, address, folder)
    return 0


def take(shot: Shot, browser: Browser, address: str, folder: Path) -> None:
    """Write FOLDER/NAME.png."""
    page = browser.new_page(
        viewport={"width": shot.width, "height": 800},
        color_scheme=shot.colors,
        device_scale_factor=shot.pixels_per_unit,
    )
    page.goto(address + shot.page)
    if shot.page == "":
        page.get_by_label("Demo BPE").check()
        page.get_by_label("About the token of Demo BPE").wait_for()
        page.get_by_role("button", name="Take the ids of the text").click()
    page.get_by_text("it works offline").wait_for()
    file = folder / f"{shot.name}.png"
    page.screenshot(path=file, full_page=shot.page == "")
    page.close()
    console.say(f"  {file}")


if __name__ == "__main__":
    sys.exit(console.exit_code(main))
