"""What a visitor sees and does, without a model of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import spmlite as spm
from playground import Playground
from playwright.sync_api import expect

EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"

TEXTS = [
    "Hello world",
    "  two  spaces  ",
    "café 👋🏽 日本語",
    "ﬁne ㍿ ½",  # nmt_nfkc rewrites it
    "line one\nline two\ttab",
    "12,345.67 €",
    "▁ a literal mark",
    "مرحبا بالعالم नमस्ते दुनिया",
]


def native(site_folder: Path, name: str) -> spm.SentencePieceProcessor:
    return spm.SentencePieceProcessor(model_file=str(site_folder / "models" / f"{name}.spm.fb"))


def test_a_demo_model_is_there_at_once_and_encodes_the_sample(
    playground: Playground, site_folder: Path
) -> None:
    sample = playground.text.input_value()
    assert len(playground.ids()) > 20
    assert playground.ids() == native(site_folder, "demo_unigram").encode(sample)


@pytest.mark.parametrize(
    ("label", "name"), [("Demo Unigram", "demo_unigram"), ("Demo BPE", "demo_bpe")]
)
def test_typed_text_gives_the_ids_of_native_python(
    playground: Playground, site_folder: Path, label: str, name: str
) -> None:
    playground.use(label)
    processor = native(site_folder, name)
    for text in TEXTS:
        playground.type(text)
        assert playground.ids() == processor.encode(text), text


def test_no_text_gives_no_tokens(playground: Playground) -> None:
    playground.text.fill("")
    expect(playground.page.get_by_text("No tokens: the text is empty.")).to_be_visible()
    expect(playground.count("bytes per token")).to_have_text(EN_DASH)


def test_counts_are_of_tokens_unicode_characters_and_utf8_bytes(playground: Playground) -> None:
    playground.use("Demo BPE")
    playground.type("é👋")
    # The first is a piece, with the mark before it; the second is four bytes.
    expect(playground.count("tokens")).to_have_text("5")
    expect(playground.text_count("graphemes")).to_have_text("2")
    expect(playground.text_count("characters")).to_have_text("2")
    expect(playground.text_count("bytes")).to_have_text("6")
    expect(playground.count("bytes per token")).to_have_text("1.20")
    expect(playground.count("encoded in")).to_have_text(re.compile(r"\d ms$"))


def test_tokens_can_be_seen_as_pieces_ids_and_bytes(
    playground: Playground, site_folder: Path
) -> None:
    playground.use("Demo BPE")
    playground.type("the 👋")
    ids = native(site_folder, "demo_bpe").encode("the 👋")
    assert [text.split("\n")[-1] for text in playground.shown()] == [str(id_) for id_ in ids]
    assert playground.shown()[0].startswith("▁the")
    playground.choose("Ids")
    assert playground.shown() == [str(id_) for id_ in ids]
    playground.choose("Bytes")
    assert playground.shown() == ["74 68 65", "20", "F0", "9F", "91", "8B"]


def test_white_space_is_made_visible_and_a_line_break_breaks_the_line(
    playground: Playground,
) -> None:
    playground.use("Demo BPE")
    playground.type("a\nb\tc\u200bd")
    shown = [text.split("\n")[0] for text in playground.shown()]
    assert shown == ["▁a", "↵", "b", "09", "c", "E2", "80", "8B", "d"]
    tops = [box["y"] for token in playground.tokens.all() if (box := token.bounding_box())]
    assert tops[0] == tops[1] < tops[2] == tops[8]


def test_a_token_under_the_pointer_tells_all_about_itself(
    playground: Playground, site_folder: Path
) -> None:
    text = "Ich 👋 the world"
    playground.type(text)
    processor = native(site_folder, "demo_unigram")
    at = playground.ids().index(processor.piece_to_id("▁the"))
    playground.tokens.nth(at).hover()
    expect(playground.card).to_contain_text(f"token {at + 1} of {len(playground.ids())}")
    facts = dict(
        zip(
            playground.card.locator("dt").all_inner_texts(),
            playground.card.locator("dd").all_inner_texts(),
            strict=True,
        )
    )
    id_ = processor.piece_to_id("▁the")
    assert facts["id"] == str(id_)
    assert facts["type"] == "normal"
    assert float(facts["score"].replace(MINUS, "-")) == pytest.approx(
        processor.get_score(id_), abs=1e-4
    )
    # The emoji is two UTF-16 units and four bytes; the space before belongs to the piece.
    begin = len("Ich 👋".encode("utf-16-le")) // 2
    assert facts["UTF-16 span"] == f"{begin}{EN_DASH}{begin + 4}"
    begin = len("Ich 👋".encode())
    assert facts["byte span"] == f"{begin}{EN_DASH}{begin + 4}"
    assert facts["bytes"] == "20 74 68 65"
    assert facts["text"] == "·the"


def test_arrow_keys_go_from_token_to_token(playground: Playground) -> None:
    playground.type("one two three")
    count = len(playground.ids())
    playground.page.get_by_role("radio", name="Pieces").focus()
    playground.page.keyboard.press("Tab")
    expect(playground.list).to_be_focused()
    for key, place in (("ArrowRight", 2), ("End", count), ("ArrowRight", count), ("Home", 1)):
        playground.page.keyboard.press(key)
        token = playground.tokens.nth(place - 1)
        expect(token).to_have_attribute("aria-selected", "true")
        # What a screen reader reads is the token that the list points to.
        id_ = token.get_attribute("id")
        expect(playground.list).to_have_attribute("aria-activedescendant", str(id_))
        expect(playground.card).to_contain_text(f"token {place} of {count}")


def test_the_round_trip_says_whether_the_text_comes_back(playground: Playground) -> None:
    playground.type("plain text")
    expect(playground.round_trip).to_contain_text("gives the text back exactly")
    playground.type("so ﬁne")  # a ligature, which nmt_nfkc takes apart
    expect(playground.round_trip).to_contain_text(
        "gives another text, from character 4 on: fine instead of ﬁne"
    )
    playground.use("Demo BPE")
    expect(playground.round_trip).to_contain_text("gives the text back exactly")


def test_ids_decode_to_text(playground: Playground, site_folder: Path) -> None:
    text = "All human beings"
    ids = native(site_folder, "demo_unigram").encode(text)
    playground.ids_to_decode.fill(", ".join(map(str, ids)))
    expect(playground.decoded).to_have_text(text)
    playground.ids_to_decode.fill(str(ids))  # as Python prints them
    expect(playground.decoded).to_have_text(text)


def test_the_ids_of_the_text_can_be_taken_over(playground: Playground) -> None:
    playground.type("and back again")
    playground.page.get_by_role("button", name="Take the ids of the text").click()
    expect(playground.ids_to_decode).to_have_value(" ".join(map(str, playground.ids())))
    expect(playground.decoded).to_have_text("and back again")


@pytest.mark.parametrize(
    ("ids", "named"), [("5 six 7", "six"), ("1.5", "1.5"), ("123456", "123456"), ("-1", "-1")]
)
def test_what_is_no_id_is_named_in_one_sentence(
    playground: Playground, ids: str, named: str
) -> None:
    playground.ids_to_decode.fill(ids)
    expect(playground.decoded).to_contain_text(named)
    assert playground.decoded.inner_text().count("\n") == 0
    assert playground.decoded.inner_text().endswith(".")


def test_of_a_long_text_the_tokens_in_sight_are_there_wherever_one_goes(
    playground: Playground, site_folder: Path
) -> None:
    text = "All human beings are born free and equal. " * 2_500
    playground.type(text)
    ids = native(site_folder, "demo_unigram").encode(text)
    expect(playground.count("tokens")).to_have_text(f"{len(ids):,}")
    shown = playground.ids()
    assert shown == ids[: len(shown)]
    assert len(shown) < 2_000
    playground.list.focus()
    playground.page.keyboard.press("End")
    expect(playground.card).to_contain_text(f"token {len(ids):,} of {len(ids):,}")
    chosen = playground.list.locator("[aria-selected=true]")
    expect(chosen).to_be_in_viewport()
    expect(chosen).to_have_attribute("aria-posinset", str(len(ids)))
    assert playground.tokens.count() < 2_000


def test_a_phone_has_no_sideways_scrolling(playground: Playground) -> None:
    playground.page.set_viewport_size({"width": 320, "height": 640})
    playground.type("unbroken" * 100)
    for view in ("Pieces", "Ids", "Bytes"):
        playground.choose(view)
        width = playground.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, view
