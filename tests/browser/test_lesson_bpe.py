"""Sections 4 and 5 of the lesson: BPE by hand, and its training."""

from __future__ import annotations

from lesson import Lesson, pieces

BY_HAND = "Four merges by hand"


def test_four_merges_shorten_words_one_by_one(lesson: Lesson) -> None:
    lab = lesson.lab(BY_HAND)
    merges = lab.get_by_role("list", name="Merges").locator("code").all_inner_texts()
    assert merges == ["l + o → lo", "lo + w → low", "e + s → es", "es + t → est"]
    lengths = [len(pieces(lab, "low"))]
    for _ in merges:
        lab.get_by_role("button", name="Apply the next").click()
        lengths.append(len(pieces(lab, "low")))
    assert lengths == [3, 2, 1, 1, 1]
    assert pieces(lab, "lowest") == ["low", "est"]
    assert pieces(lab, "lower") == ["low", "e", "r"]
    assert pieces(lab, "lovely") == ["lo", "v", "e", "l", "y"]
    assert pieces(lab, "slowest") == ["s", "low", "est"]
