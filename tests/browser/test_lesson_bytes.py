"""Sections 7 and 8 of the lesson: bytes, byte fallback, and why not code points."""

from __future__ import annotations

from pathlib import Path

import pytest
import spmlite as spm
from lesson import Lesson, ids, pieces
from playwright.sync_api import expect
from steps.test_data import TestData

BYTES = "Bytes or characters"
THERE_AND_BACK = "There and back"


def test_cat_becomes_one_token_of_three_bytes(lesson: Lesson) -> None:
    lab = lesson.lab(BYTES)
    lab.get_by_label("Text to encode").fill("cat")
    slider = lab.get_by_role("slider", name="Merges")
    slider.focus()
    slider.press("Home")
    assert pieces(lab, "UTF-8") == ["63", "61", "74"]
    assert pieces(lab, "Byte-level BPE") == ["63", "61", "74"]
    assert ids(lab, "Byte-level BPE") == [0x63, 0x61, 0x74]
    slider.press("ArrowRight")
    assert pieces(lab, "Byte-level BPE") == ["6361", "74"]
    slider.press("ArrowRight")
    assert pieces(lab, "Byte-level BPE") == ["636174"]
    assert ids(lab, "Byte-level BPE") == [257]


def test_a_hand_is_four_tokens_until_it_is_learned(lesson: Lesson) -> None:
    lab = lesson.lab(BYTES)
    lab.get_by_label("Text to encode").fill("👋")
    slider = lab.get_by_role("slider", name="Merges")
    slider.focus()
    slider.press("Home")
    assert pieces(lab, "Byte-level BPE") == ["F0", "9F", "91", "8B"]
    slider.press("End")
    assert pieces(lab, "Byte-level BPE") == ["F09F918B"]


def test_characters_are_unknown_where_bytes_never_are(lesson: Lesson) -> None:
    lab = lesson.lab(BYTES)
    for text in ("😊", "é", "字"):
        lab.get_by_label("Text to encode").fill(text)
        assert pieces(lab, "Character BPE") == ["[UNK]"]
        assert "".join(pieces(lab, "Byte-level BPE")) == text.encode().hex().upper()


def test_what_llama_2_makes_of_it(lesson: Lesson, data: TestData) -> None:
    rows = dict(lesson.table("Characters without a piece")[1:])
    assert rows["😊, in a vocabulary without it"] == "<0xF0> <0x9F> <0x98> <0x8A>"
    tokens = rows["café 👋, by Llama 2"]
    assert tokens == "▁c afé ▁ <0xF0> <0x9F> <0x91> <0x8B>"
    # Its vocabulary as llama.cpp's sources carry it.
    llama2 = data.foreign.get("llama-spm.gguf")
    if llama2 is None:
        pytest.skip(f"the page was not compared with Llama 2: {data.missing.get('llama.cpp')}")
    processor = spm.SentencePieceProcessor(model_file=llama2)
    assert processor.encode("café 👋", out_type=str) == tokens.split()


NORMALIZED = {
    "😊": "😊",
    "plain text": "plain text",
    "\N{LATIN SMALL LIGATURE FI}ne 😊": "fine 😊",
    "two  spaces": "two spaces",
}


def test_byte_fallback_alone_does_not_make_decoding_exact(lesson: Lesson) -> None:
    lab = lesson.lab(THERE_AND_BACK)
    for text, normalized in NORMALIZED.items():
        lab.get_by_label("Text", exact=True).fill(text)
        for name, expected in [("Leaves text as it is", text), ("Normalizes (NFKC)", normalized)]:
            column = lab.get_by_role("region", name=name)
            verdict = "exactly" if expected == text else "as another text"
            shown = f"comes back {verdict}: {expected.replace(' ', '·')}"
            expect(column.locator(".verdict")).to_contain_text(shown)
            assert "[UNK]" not in column.inner_text()
    expect(lesson.page.get_by_text("decoding is always exact. It is not.")).to_be_visible()


def test_what_a_sentence_costs(lesson: Lesson, site_folder: Path) -> None:
    english = "Tokenization is the first step of every language model."
    bengali = "বাংলা ভাষা"
    file = site_folder / "models" / "demo_unigram.spm.fb"
    processor = spm.SentencePieceProcessor(model_file=str(file))
    subwords = [len(processor.encode(text)) for text in (english, bengali)]
    table = lesson.page.get_by_role("table", name="What a text costs")
    expect(table).not_to_contain_text("…")
    assert lesson.table("What a text costs")[1:] == [
        [english, "9", str(subwords[0]), "55", "55"],
        [bengali, "2", str(subwords[1]), "10", "28"],
    ]
