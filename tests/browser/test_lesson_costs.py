"""Sections 9 and 10 of the lesson: what vocabularies and lengths cost."""

from __future__ import annotations

from pathlib import Path

import spmlite as spm
from lesson import Lesson
from playwright.sync_api import expect

CALCULATOR = "Embedding calculator"
BARS = "Granularity bars"
TIMES = "\N{MULTIPLICATION SIGN}"


def test_rows_of_768_numbers(lesson: Lesson) -> None:
    assert lesson.table("Rows of 768 numbers")[1:] == [
        ["GPT-2", "50,257", "38,597,376", "1.00"],
        ["Unicode", "159,801", "122,727,168", "3.18"],
        ["bytes", "256", "196,608", "0.005"],
    ]


def test_the_calculator_multiplies(lesson: Lesson) -> None:
    lab = lesson.lab(CALCULATOR)
    for vocabulary, parameters, times in [
        (50_257, "38,597,376", "1.00"),
        (159_801, "122,727,168", "3.18"),
        (256, "196,608", "0.01"),
    ]:
        lab.get_by_label("Vocabulary size V").fill(str(vocabulary))
        expect(lab.locator("output")).to_have_text(f"{vocabulary:,} {TIMES} 768 = {parameters}")
        expect(lab.get_by_text(f"{times} times the tables")).to_be_visible()
        curve = f"Parameters by vocabulary size: {parameters} at {vocabulary:,}"
        expect(lab.get_by_role("img", name=curve)).to_be_visible()


def test_untied_tables_cost_twice_and_a_link_carries_them(lesson: Lesson) -> None:
    lab = lesson.lab(CALCULATOR)
    lab.get_by_label("The output has a table of its own").check()
    expect(lab.locator("output")).to_have_text(f"2 {TIMES} 50,257 {TIMES} 768 = 77,194,752")
    lab.get_by_label("Numbers in a vector").fill("1024")
    link = lesson.link_to(CALCULATOR)
    lesson.page.goto("about:blank")
    lesson.page.goto(link)
    expect(lab.locator("output")).to_have_text(f"2 {TIMES} 50,257 {TIMES} 1,024 = 102,926,336")
    lesson.reset(CALCULATOR)
    expect(lab.locator("output")).to_have_text(f"50,257 {TIMES} 768 = 38,597,376")


def test_the_mark_moves_along_the_curve(lesson: Lesson) -> None:
    lab = lesson.lab(CALCULATOR)
    places = []
    for name in ("bytes, 256", "GPT-2, 50,257", "Unicode, 159,801"):
        lab.get_by_role("button", name=name).click()
        mark = lab.locator(".mark")
        places.append((mark.get_attribute("cx"), mark.get_attribute("cy")))
    assert len({place[0] for place in places}) == 3
    heights = [float(place[1] or 0) for place in places]
    assert heights == sorted(heights, reverse=True)


def test_where_50257_comes_from_and_what_two_pieces_make(lesson: Lesson) -> None:
    section = lesson.page.locator("#vocabulary")
    expect(section).to_contain_text("256 + 50,000 + 1 = 50,257")
    expect(section).to_contain_text("2,525,766,049 combinations")
    expect(section).to_contain_text("GPT-2: 1,024.")
    expect(section).to_contain_text("seven billion")
    assert lesson.table("Words from pieces, as a tokenizer may cut them")[1:] == [
        ["unhappiness", "un + happiness", "2"],
        ["tokenization", "token + ization", "2"],
        ["Kubernetes", "Kub + ernet + es", "3"],
        ["zyxwvu", "z + y + x + w + v + u", "6"],
    ]


def test_four_bars_of_one_sentence(lesson: Lesson, site_folder: Path) -> None:
    lab = lesson.lab(BARS)
    sentence = lab.get_by_label("Sentence").input_value()
    file = site_folder / "models" / "demo_unigram.spm.fb"
    subwords = len(spm.SentencePieceProcessor(model_file=str(file)).encode(sentence))
    lengths = lab.locator(".bar-length")
    expect(lengths).to_have_text(["9", str(subwords), "55", "55"])
    widths = lab.locator(".bar").evaluate_all("bars => bars.map(bar => bar.offsetWidth)")
    assert [round(width / widths[3], 2) for width in widths] == [
        round(length / 55, 2) for length in (9, subwords, 55, 55)
    ]


def test_the_bar_of_words_is_no_production_tokenizer(lesson: Lesson) -> None:
    lab = lesson.lab(BARS)
    answer = lab.locator(".answer")
    expect(answer).to_be_hidden()
    lab.get_by_text("Which one is it?").click()
    expect(answer).to_contain_text("The bar of words")
    reasons = lesson.page.locator("#granularity > ol > li")
    expect(reasons).to_have_count(5)
    expect(reasons.first).to_contain_text("[UNK]")
