"""Sections 2 and 3 of the lesson: one text four ways, and a tokenizer of whole words."""

from __future__ import annotations

from pathlib import Path

import pytest
import spmlite as spm
from lesson import Lesson, ids, pieces
from playwright.sync_api import expect

FOUR_WAYS = "Four ways"
WORDS = "A tokenizer of words"


@pytest.mark.parametrize(
    ("text", "words", "characters", "bytes_"),
    [("café 👋", 2, 6, 10), ("বাংলা 日本語", 2, 9, 25), ("", 0, 0, 0)],
)
def test_one_text_has_four_lengths(
    lesson: Lesson, text: str, words: int, characters: int, bytes_: int
) -> None:
    lab = lesson.lab(FOUR_WAYS)
    lab.get_by_label("Text").fill(text)
    lengths = [len(pieces(lab, name)) for name in ("Words", "Characters", "Bytes")]
    assert lengths == [words, characters, bytes_]
    assert ids(lab, "Bytes") == list(text.encode())
    assert ids(lab, "Characters") == [ord(character) for character in text]


@pytest.mark.parametrize(("choice", "name"), [("BPE", "demo_bpe"), ("Unigram", "demo_unigram")])
def test_the_subwords_are_those_of_native_python(
    lesson: Lesson, site_folder: Path, choice: str, name: str
) -> None:
    processor = spm.SentencePieceProcessor(
        model_file=str(site_folder / "models" / f"{name}.spm.fb")
    )
    lab = lesson.lab(FOUR_WAYS)
    lab.get_by_role("radio", name=choice).check()
    for text in ("café 👋", "বাংলা 日本語", "to be or not to be"):
        lab.get_by_label("Text").fill(text)
        expected = processor.encode(text)
        shown = lab.get_by_role("list", name="Subwords").locator(".chip-id")
        expect(shown).to_have_text([str(id_) for id_ in expected])


def test_the_same_word_has_the_same_id(lesson: Lesson) -> None:
    lab = lesson.lab(FOUR_WAYS)
    lab.get_by_label("Text").fill("to be or not to be")
    assert ids(lab, "Words") == [0, 1, 2, 3, 0, 1]


def test_three_known_words_are_three_ids_and_a_new_one_is_unknown(lesson: Lesson) -> None:
    lab = lesson.lab(WORDS)
    lab.get_by_label("Text to encode").fill("I love football")
    assert pieces(lab, "Encoded") == ["I", "love", "football"]
    assert len(set(ids(lab, "Encoded"))) == 3
    lab.get_by_label("Text to encode").fill("I love ChatGPT")
    assert pieces(lab, "Encoded") == ["I", "love", "[UNK]"]
    expect(lab.get_by_text("1 of 3 words became [UNK]")).to_be_visible()


def test_subwords_spell_what_words_lack(lesson: Lesson) -> None:
    assert lesson.table("Three new words")[1:] == [
        ["playing", "[UNK]", "play + ing"],
        ["footballer", "[UNK]", "football + er"],
        ["useState", "[UNK]", "use + State"],
    ]
