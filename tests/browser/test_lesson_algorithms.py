"""Section 6 of the lesson: BPE, WordPiece and SentencePiece on one corpus."""

from __future__ import annotations

from lesson import Lesson, pieces
from playwright.sync_api import Locator, expect

TRAINERS = "Three trainers"

BPE = ["lo 7", "low 7", "low</w> 5", "es 5", "est 5", "est</w> 5", "ne 3", "new 3"]
WORDPIECE = [
    *("wi 0.5", "wid 0.5", "##st 0.2", "lo 0.1429", "low 0.1", "##er 0.1", "lower 0.1429"),
    *("ne 0.125", "new 0.3333", "newe 0.2", "wide 0.5", "newest 0.2", "widest 0.5"),
]


def learned(lab: Locator, name: str) -> list[str]:
    """The pieces that a trainer has learned, each with its number."""
    items = lab.get_by_role("region", name=f"{name}: learned pieces").locator("li")
    found = []
    for item in items.all():
        piece, why = item.locator("code").inner_text(), item.locator(".quiet").inner_text()
        number = why.split(", ")[-1].removeprefix("score ").removesuffix(" times")
        found.append(f"{piece} {number}")
    return found


def probe(lab: Locator, name: str) -> list[str]:
    return pieces(lab, f"{name}: the probe")


def test_three_trainers_learn_different_pieces_from_the_four_words(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINERS)
    slider = lab.get_by_role("slider", name="Pieces to learn")
    slider.focus()
    slider.press("End")
    assert slider.input_value() == "15"
    assert learned(lab, "BPE")[:8] == BPE
    assert len(learned(lab, "BPE")) == 15
    assert learned(lab, "WordPiece") == WORDPIECE
    # Unigram knows at most what two words share.
    assert len(learned(lab, "SentencePiece")) == 10


def test_one_slider_and_one_probe_move_all_three(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINERS)
    slider = lab.get_by_role("slider", name="Pieces to learn")
    slider.focus()
    slider.press("Home")
    assert probe(lab, "BPE") == [*"lowest", "</w>"]
    assert probe(lab, "WordPiece") == ["l", *(f"##{letter}" for letter in "owest")]
    assert probe(lab, "SentencePiece") == ["▁", *"lowest"]
    for _ in range(6):
        slider.press("ArrowRight")
    assert probe(lab, "BPE") == ["low", "est</w>"]
    assert probe(lab, "WordPiece") == ["low", "##e", "##st"]
    assert probe(lab, "SentencePiece") == ["▁low", "est"]
    lab.get_by_label("Probe word").fill("lower")
    assert probe(lab, "BPE") == ["low", "e", "r", "</w>"]
    assert probe(lab, "WordPiece") == ["low", "##er"]
    assert probe(lab, "SentencePiece") == ["▁low", "e", "r"]


def test_the_third_column_follows_its_switch(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINERS)
    assert probe(lab, "SentencePiece") == ["▁low", "est"]
    lab.get_by_role("radio", name="BPE").check()
    assert learned(lab, "SentencePiece")[:3] == ["▁l 7", "▁lo 7", "▁low 7"]
    lab.get_by_role("slider", name="Pieces to learn").press("End")
    assert probe(lab, "SentencePiece") == ["▁low", "est"]
    link = lesson.link_to(TRAINERS)
    lesson.page.goto("about:blank")
    lesson.page.goto(link)
    expect(lab.get_by_role("radio", name="BPE")).to_be_checked()
    lesson.reset(TRAINERS)
    expect(lab.get_by_role("radio", name="Unigram")).to_be_checked()


def test_a_letter_that_was_never_seen(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINERS)
    lab.get_by_label("Probe word").fill("lowz")
    assert probe(lab, "BPE") == ["low", "[UNK]", "</w>"]
    assert probe(lab, "WordPiece") == ["[UNK]"]
    assert probe(lab, "SentencePiece") == ["▁low", "[UNK]"]
