"""Two and three models side by side, and where they cut a text differently."""

from __future__ import annotations

from pathlib import Path

import pytest
import sentencepiece
import spmlite as spm
from playground import Column, Playground
from playwright.sync_api import expect

DEMOS = {"Demo Unigram": "demo_unigram", "Demo BPE": "demo_bpe"}
TEXTS = [
    "All human beings are born free",
    "  spaces   in front, café 👋🏽 日本語\n\nand lines",
    "ﬁne ㍿ ½ 12,345.67 €",
    "The same.",
]

Spans = list[tuple[int, int]]


def spans(processor: spm.SentencePieceProcessor, text: str) -> Spans:
    """Begin and end of each token in characters."""
    found: Spans = processor.encode(text, return_type="offset_mapping")["offsets"]
    return found


def different(of: Spans, others: list[Spans], length: int) -> list[bool]:
    """Which tokens lie in a stretch, between common beginnings, that is not cut alike."""
    common = set.intersection(*({begin for begin, _ in each} for each in (of, *others)))
    bounds = sorted({0, *common, length + 1})
    marks = []
    for begin, _ in of:
        start = max(bound for bound in bounds if bound <= begin)
        stop = min(bound for bound in bounds if bound > begin)
        cuts = [[s for s in each if start <= s[0] < stop] for each in (of, *others)]
        marks.append(any(cut != cuts[0] for cut in cuts))
    return marks


def marks(column: Column) -> list[bool]:
    """Which tokens the page marks."""
    shown = column.tokens.evaluate_all("chips => chips.map(chip => chip.dataset.different)")
    return [mark == "true" for mark in shown]


def trained(folder: Path, model_type: str) -> Path:
    """A tiny model, trained here."""
    prefix = folder / f"tiny_{model_type}"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(f"all human beings number {i} are born free" for i in range(200)),
        model_prefix=str(prefix),
        model_type=model_type,
        vocab_size=300,
        byte_fallback=True,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return prefix.with_suffix(".model")


def test_the_spans_that_differ_are_marked_in_both_columns(
    playground: Playground, site_folder: Path
) -> None:
    playground.model("Demo BPE").check()
    processors = {
        label: spm.SentencePieceProcessor(model_file=str(site_folder / f"models/{name}.spm.fb"))
        for label, name in DEMOS.items()
    }
    found = 0
    for text in TEXTS:
        playground.text.fill(text)
        all_spans = {label: spans(processor, text) for label, processor in processors.items()}
        for label, processor in processors.items():
            column = playground.column(label)
            column.wait()
            assert column.ids() == processor.encode(text)
            others = [each for other, each in all_spans.items() if other != label]
            expected = different(all_spans[label], others, len(text))
            expect(column.list.locator("[data-different=true]")).to_have_count(sum(expected))
            assert marks(column) == expected, (text, label)
            found += sum(expected)
    print(f"  {found} tokens marked in {len(TEXTS)} texts")
    assert found > 10


def test_one_model_alone_has_no_marks(playground: Playground) -> None:
    assert not any(marks(playground))
    expect(playground.page.get_by_text("The models differ")).to_have_count(0)


def test_the_buttons_go_from_difference_to_difference_in_all_columns(
    playground: Playground,
) -> None:
    playground.model("Demo BPE").check()
    playground.page.set_viewport_size({"width": 1280, "height": 1600})
    playground.text.fill("free and equal " * 200 + "café")
    columns = [playground.column(label) for label in DEMOS]
    for column in columns:
        column.wait()
    playground.page.get_by_role("button", name="Previous difference").click()
    for column in columns:
        chosen = column.list.locator("[aria-selected=true]")
        expect(chosen).to_have_attribute("data-different", "true")
        expect(chosen).to_be_in_viewport()
    places = [column.card.locator("dd").nth(4).inner_text() for column in columns]
    assert len({place.split("\N{EN DASH}")[0] for place in places}) == 1
    playground.page.get_by_role("button", name="Next difference").click()
    for column in columns:
        chosen = column.list.locator("[aria-selected=true]")
        expect(chosen).to_have_attribute("data-different", "true")


def test_a_token_that_is_gone_to_is_gone_to_in_the_other_column(playground: Playground) -> None:
    playground.model("Demo BPE").check()
    playground.text.fill("human beings and café")
    first, second = (playground.column(label) for label in DEMOS)
    second.wait()
    first.list.focus()
    playground.page.keyboard.press("End")
    expect(second.card).to_contain_text(f"token {len(second.ids())} of")


def test_three_files_are_dropped_at_once_and_a_fourth_takes_the_place_of_the_first(
    playground: Playground, tmp_path: Path
) -> None:
    files = [trained(tmp_path, kind) for kind in ("unigram", "bpe", "char")]
    playground.drop(*files)
    expect(playground.page.locator(".tokens-panel .facts")).to_have_count(3)
    text = "all beings 👋"
    playground.text.fill(text)
    for file in files:
        column = playground.column(file.name)
        column.wait()
        assert column.ids() == spm.SentencePieceProcessor(model_file=str(file)).encode(text)
    expect(playground.model("Demo BPE")).to_be_disabled()
    fourth = files[0].with_name("fourth.model")
    fourth.write_bytes(files[0].read_bytes())
    playground.drop(fourth)
    expect(playground.column("fourth.model").panel).to_be_visible()
    expect(playground.page.locator(".tokens-panel")).to_have_count(3)
    expect(playground.model(files[0].name)).not_to_be_checked()


def test_a_text_file_that_is_dropped_becomes_the_text(
    playground: Playground, tmp_path: Path
) -> None:
    playground.page.evaluate(
        """() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(["a dropped\\r\\ntext"], "a.txt", {type: "text/plain"}));
          const init = { dataTransfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", init));
        }"""
    )
    expect(playground.text).to_have_value("a dropped\ntext")
    expect(playground.problem).to_be_empty()


@pytest.mark.parametrize("limit", [3, 512])
def test_the_limit_says_how_much_of_the_text_fits(
    playground: Playground, site_folder: Path, limit: int
) -> None:
    playground.type("All human beings are born free")
    playground.page.get_by_label("Limit in tokens").fill(str(limit))
    processor = spm.SentencePieceProcessor(
        model_file=str(site_folder / "models/demo_unigram.spm.fb")
    )
    ends = [end for _, end in spans(processor, "All human beings are born free")]
    note = playground.panel.locator(".fit")
    if limit >= len(ends):
        expect(note).to_contain_text(f"Fits: {len(ends)} of {limit} tokens")
    else:
        expect(note).to_contain_text(f"Too long by {len(ends) - limit} tokens")
        expect(note).to_contain_text(f"the first {ends[limit - 1]} characters fit")
    beyond = playground.list.locator("[data-beyond=true]")
    expect(beyond).to_have_count(max(0, len(ends) - limit))
