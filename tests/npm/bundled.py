"""Pages whose script was bundled, and what they must be left with."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser
from programs import SECONDS
from spmlite import SentencePieceProcessor


def write_page_data(folder: Path, model: Path, lines: Sequence[str]) -> None:
    """What pages/run.js fetches."""
    shutil.copy(model, folder / "model.model")
    (folder / "lines.json").write_text(json.dumps(lines))


def mismatches_of_page(
    browser: Browser, address: str, model: Path, lines: Sequence[str]
) -> dict[str, int]:
    """By way to use the package, how many lines have other ids than native Python gives."""
    with browser.new_page() as page:
        page.goto(address)
        page.wait_for_function("globalThis.result", timeout=1000 * SECONDS)
        found = page.evaluate("globalThis.result")
    expected = SentencePieceProcessor(model).encode(list(lines))
    return {
        way: sum(one != other for one, other in zip(ids, expected, strict=True))
        for way, ids in found.items()
    }
