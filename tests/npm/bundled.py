"""Pages whose script was bundled, and what they must be left with."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser
from programs import SECONDS
from spmlite import SentencePieceProcessor

# A tokenizer.json, and its ids of "b ax".
TOKENIZER_JSON = {
    "added_tokens": [{"id": 0, "content": "<unk>", "special": True}],
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
    "model": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0], ["▁", -2.5], ["a", -3.25], ["b", -1]],
    },
}
TOKENIZER_JSON_IDS = [1, 3, 1, 2, 0]


def write_page_data(folder: Path, model: Path, lines: Sequence[str]) -> None:
    """What pages/run.js fetches."""
    shutil.copy(model, folder / "model.model")
    (folder / "lines.json").write_text(json.dumps(lines))
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER_JSON))


def mismatches_of_page(
    browser: Browser, address: str, model: Path, lines: Sequence[str]
) -> dict[str, int]:
    """By way to use the package, how many lines have other ids than native Python gives."""
    with browser.new_page() as page:
        page.goto(address)
        page.wait_for_function("globalThis.result", timeout=1000 * SECONDS)
        found = page.evaluate("globalThis.result")
    assert found.pop("tokenizerJson") == 3 * [TOKENIZER_JSON_IDS]
    expected = SentencePieceProcessor(model).encode(list(lines))
    return {
        way: sum(one != other for one, other in zip(ids, expected, strict=True))
        for way, ids in found.items()
    }
