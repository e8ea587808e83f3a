"""Sections 4 and 5 of the lesson: BPE by hand, and its training."""

from __future__ import annotations

from lesson import Lesson, counts, pieces
from playwright.sync_api import expect

BY_HAND = "Four merges by hand"
TRAINER = "BPE trainer"

LOG = [
    *("1 l + o lo 7", "2 lo + w low 7", "3 low + </w> low</w> 5", "4 e + s es 5"),
    *("5 es + t est 5", "6 est + </w> est</w> 5", "7 n + e ne 3", "8 ne + w new 3"),
    *("9 new + est</w> newest</w> 3", "10 low + e lowe 2", "11 lowe + r lower 2"),
    *("12 lower + </w> lower</w> 2", "13 w + i wi 2", "14 wi + d wid 2"),
    "15 wid + est</w> widest</w> 2",
]
# How many milliseconds a merge is shown before the next pair is, and the pair before it merges.
BEFORE_A_PAIR, BEFORE_A_PIECE = 500, 700
TOKENS = [67, 60, 53, 48, 43, 38, 33, 30, 27, 24, 22, 20, 18, 16, 14, 12]


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


def test_the_merge_log_of_the_four_words(lesson: Lesson) -> None:
    rows = lesson.table("Merge log")[1:]
    assert [" ".join([row[0].split()[-1], *row[1:]]) for row in rows] == LOG


def test_the_slider_goes_from_none_to_fifteen_merges(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINER)
    slider = lab.get_by_role("slider", name="Merges")
    slider.focus()
    slider.press("Home")
    tokens, vocabulary = [], []
    for _ in TOKENS:
        shown = counts(lab)
        assert shown["symbols to begin with"] == 11
        tokens.append(shown["tokens of the corpus"])
        vocabulary.append(shown["vocabulary"])
        assert len(pieces(lab, "Vocabulary")) == shown["vocabulary"]
        slider.press("ArrowRight")
    assert tokens == TOKENS
    assert vocabulary == list(range(11, 27))
    assert [pieces(lab, f"{word}, spelled") for word in ("low", "lower", "newest", "widest")] == [
        ["low</w>"],
        ["lower</w>"],
        ["newest</w>"],
        ["widest</w>"],
    ]


def test_the_curve_says_the_same(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINER)
    lab.get_by_role("button", name="Go to merge 9").click()
    curve = lab.get_by_role("img", name="Tokens of the corpus by merges: 24 after 9")
    assert curve.locator(".mark-value").text_content() == "24"


def test_lowest_is_spelled_by_replaying_the_merges(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINER)
    for number, spelled in [
        (1, ["lo", "w", "e", "s", "t", "</w>"]),
        (2, ["low", "e", "s", "t", "</w>"]),
        (3, ["low", "e", "s", "t", "</w>"]),
        (4, ["low", "es", "t", "</w>"]),
        (5, ["low", "est", "</w>"]),
        (6, ["low", "est</w>"]),
        (15, ["low", "est</w>"]),
    ]:
        lab.get_by_role("button", name=f"Go to merge {number}", exact=True).click()
        assert pieces(lab, "Encoded") == spelled, number
    expect(lab.get_by_text("Merges that apply: 1, 2, 4, 5, 6.")).to_be_visible()
    lab.get_by_label("Encode a word").fill("lox")
    assert pieces(lab, "Encoded") == ["lo", "[UNK]", "</w>"]


def test_play_shows_the_pair_then_the_piece_and_stops_at_the_end(lesson: Lesson) -> None:
    clock = lesson.page.clock
    clock.install(time=0)
    lesson.open()
    # From here on time passes only when the test says so.
    clock.pause_at(1_000)
    lab = lesson.lab(TRAINER)
    lab.get_by_role("button", name="Go to merge 13").click()
    lab.get_by_role("button", name="Play").click()
    widest = lab.get_by_role("list", name="widest, spelled")
    for left, right in [("wi", "d"), ("wid", "est</w>")]:
        clock.run_for(BEFORE_A_PAIR)
        expect(widest.locator("[data-emphasis=left]")).to_have_text(left)
        expect(widest.locator("[data-emphasis=right]")).to_have_text(right)
        clock.run_for(BEFORE_A_PIECE)
        expect(widest.locator("[data-emphasis=made]")).to_have_text(left + right)
    clock.run_for(BEFORE_A_PAIR)
    expect(lab.get_by_role("button", name="Play")).to_be_visible()
    assert counts(lab)["merges"] == 15
    # From the end it begins anew; a pause leaves it where it is.
    lab.get_by_role("button", name="Play").click()
    clock.run_for(BEFORE_A_PAIR + BEFORE_A_PIECE + BEFORE_A_PAIR)
    expect(lab.get_by_role("list", name="low, spelled").locator("[data-emphasis]")).to_have_count(2)
    lab.get_by_role("button", name="Pause").click()
    clock.run_for(10_000)
    assert counts(lab)["merges"] == 1


def test_the_trainer_takes_another_corpus_and_fits_a_link(lesson: Lesson) -> None:
    lab = lesson.lab(TRAINER)
    lab.get_by_text("Another corpus").click()
    lab.get_by_label("Text to learn from").fill("aa aa ab")
    lab.get_by_label("Encode a word").fill("aaa")
    lab.get_by_role("slider", name="Merges").press("End")
    spelled = pieces(lab, "Encoded")
    link = lesson.link_to(TRAINER)
    lesson.page.goto("about:blank")
    lesson.page.goto(link)
    assert pieces(lab, "Encoded") == spelled == ["aa", "a", "</w>"]
    expect(lab).to_be_in_viewport()
    lesson.reset(TRAINER)
    assert counts(lab)["tokens of the corpus"] == 33
    lab.get_by_text("Another corpus").click()
    lab.get_by_label("Text to learn from").fill("")
    expect(lab.get_by_text("there is nothing to learn")).to_be_visible()
