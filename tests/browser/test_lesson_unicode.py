"""Section 1 of the lesson: characters, their numbers, their bytes."""

from __future__ import annotations

from lesson import Lesson, counts

INSPECTOR = "UTF-8 inspector"


def test_four_characters_all_the_way_down(lesson: Lesson) -> None:
    assert lesson.table("From the sign to the bytes")[1:] == [
        ["A", "U+0041", "65", "41", "1"],
        ["é", "U+00E9", "233", "C3 A9", "2"],
        ["আ", "U+0986", "2438", "E0 A6 86", "3"],
        ["😊", "U+1F60A", "128522", "F0 9F 98 8A", "4"],
    ]


def test_the_lengths_of_one_word(lesson: Lesson) -> None:
    assert lesson.table("The same word, four ways to count it")[1:] == [
        ["cafe", "4", "4", "4", "4"],
        ["café (NFC)", "4", "4", "5", "4"],
        ["café (NFD)", "4", "5", "6", "5"],
        ["café 👋 (NFC)", "6", "6", "10", "7"],
        ["café 👋 (NFD)", "6", "7", "11", "8"],
    ]


def test_how_much_unicode_there_is(lesson: Lesson) -> None:
    numbers = [row[1] for row in lesson.table("Unicode 17.0 in numbers")[1:]]
    assert numbers == ["1,114,112", "159,801", "4,803", "172", "4", "256"]


LENGTHS = [
    ("cafe", "NFC", 4, 4, 4, 4),
    ("café", "NFC", 4, 4, 5, 4),
    ("café", "NFD", 4, 5, 6, 5),
    ("café 👋", "NFC", 6, 6, 10, 7),
    ("café 👋", "NFD", 6, 7, 11, 8),
    ("", "NFC", 0, 0, 0, 0),
]


def test_the_inspector_counts_four_ways(lesson: Lesson) -> None:
    lab = lesson.lab(INSPECTOR)
    for text, form, graphemes, code_points, bytes_, utf16 in LENGTHS:
        lab.get_by_label("Text").fill(text)
        lab.get_by_role("radio", name=form).check()
        assert counts(lab) == {
            "graphemes": graphemes,
            "code points": code_points,
            "bytes": bytes_,
            "UTF-16 units": utf16,
        }, (text, form)
        assert lab.locator(".grapheme").count() == graphemes
        assert lab.locator(".byte").count() == bytes_


def test_the_inspector_shows_each_byte_below_its_code_point(lesson: Lesson) -> None:
    lab = lesson.lab(INSPECTOR)
    for character, name, value, bytes_ in [
        ("A", "U+0041", "65", ["41"]),
        ("é", "U+00E9", "233", ["C3", "A9"]),
        ("আ", "U+0986", "2438", ["E0", "A6", "86"]),
        ("😊", "U+1F60A", "128522", ["F0", "9F", "98", "8A"]),
    ]:
        lab.get_by_role("button", name=character, exact=True).click()
        assert lab.locator(".code-point > p").all_inner_texts() == [f"{name} {value}"]
        assert lab.locator(".byte-hex").all_inner_texts() == bytes_
    # The bits of an é, the marks apart: 110 00011, 10 101001.
    lab.get_by_role("button", name="é", exact=True).click()
    assert lab.locator(".byte-bits").all_inner_texts() == ["11000011", "10101001"]
    assert lab.locator(".byte-bits u").all_inner_texts() == ["110", "10"]


def test_the_inspector_fits_a_link_and_is_reset(lesson: Lesson) -> None:
    lab = lesson.lab(INSPECTOR)
    lab.get_by_label("Text").fill("a & b = 100% é")
    lab.get_by_role("radio", name="NFD").check()
    link = lesson.link_to(INSPECTOR)
    lesson.page.goto("about:blank")
    lesson.page.goto(link)
    assert lab.get_by_label("Text").input_value() == "a & b = 100% é"
    assert lab.get_by_role("radio", name="NFD").is_checked()
    lesson.reset(INSPECTOR)
    assert lab.get_by_label("Text").input_value() == "café 👋"
    assert lab.get_by_role("radio", name="NFC").is_checked()
    assert lesson.link_to(INSPECTOR).endswith("#utf8-inspector")
