"""The page's engine, in Chromium, gives the ids and offsets of native Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Any

import pytest
import spmlite as spm
from playground import Playground
from playwright.sync_api import JSHandle

PAIRS = 30_000
LINES = 10_000
LINES_AT_ONCE = 250

# This many texts are typed, and their tokens read off the page; the rest asks its engine.
SHOWN_TEXTS = 100

CountPairs = Callable[[str, int, int], None]

# Types each text into the page and reads its tokens off the page: ids from the boxes, offsets from
# the card, which shows those of the token under the pointer.
READ_PAGE = """async (texts) => {
  const box = document.querySelector("#text");
  const panel = document.querySelector(".tokens-panel");
  const facts = () => [...panel.querySelectorAll(".card-facts dd")].map((dd) => dd.textContent);
  const later = () => new Promise((resolve) => setTimeout(resolve));
  const number = (text) => Number(text.replaceAll(",", ""));
  const found = [];
  for (const text of JSON.parse(texts)) {
    box.value = text;
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    do await later();
    while (panel.getAttribute("aria-busy") !== "false");
    const chips = [...panel.querySelectorAll(".chip")];
    const last = chips.at(-1);
    last?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    await later();
    const [id, , , , units, bytes] = last ? facts() : [];
    found.push({
      ids: chips.map((chip) => Number(chip.dataset.id)),
      last: last && [id, ...units.split("\\u2013"), ...bytes.split("\\u2013")].map(number),
    });
  }
  return found;
}"""

# `spmlite` is what the page leaves in its console: its own Tokenizer.
CHOOSE_FILE = "() => Object.assign(document.createElement('input'), { type: 'file' })"
LOAD = "(input) => spmlite.Tokenizer.load(input.files[0])"
# JSON both ways, so that a lone surrogate arrives as one.
ENCODE = """(tokenizer, lines) => JSON.stringify(JSON.parse(lines).map((line) => {
  const { ids, offsets } = tokenizer.encodeWithOffsets(line);
  return [[...tokenizer.encode(line)], [...ids], [...offsets]];
}))"""


def load(playground: Playground, model: Path) -> JSHandle:
    """The page's tokenizer of a model, which comes to it as a chosen file."""
    chooser = playground.page.evaluate_handle(CHOOSE_FILE)
    element = chooser.as_element()
    assert element is not None
    element.set_input_files(model)
    return playground.page.evaluate_handle(LOAD, chooser)


def encode_in_page(tokenizer: JSHandle, lines: list[str]) -> list[list[list[int]]]:
    """For each line its ids, its ids once more, and their offsets."""
    encoded = []
    for start in range(0, len(lines), LINES_AT_ONCE):
        some = json.dumps(lines[start : start + LINES_AT_ONCE])
        encoded += json.loads(tokenizer.evaluate(ENCODE, some))
    return encoded


def encode_natively(processor: spm.SentencePieceProcessor, line: str) -> list[list[int]]:
    """The same in Python, whose offsets count characters where JavaScript's count UTF-16 units."""
    found: Any = processor.encode(line, return_type="offset_mapping")
    units = list(accumulate((1 + (character > "\uffff") for character in line), initial=0))
    offsets = [units[offset] for offset in chain.from_iterable(found["offsets"])]
    return [processor.encode(line), found["ids"], offsets]


def shares(texts: dict[str, list[str]], count: int, size: int) -> list[list[str]]:
    """`count` shares of about `size` lines each: every text is in each, its lines run on."""
    part = -(-size // len(texts))
    runs = [_endless(lines) for lines in texts.values()]
    return [list(chain.from_iterable(islice(run, part) for run in runs)) for _ in range(count)]


def _endless(lines: list[str]) -> Iterator[str]:
    while True:
        yield from lines


def test_the_page_gives_the_ids_and_offsets_of_native_python(
    playground: Playground,
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    mismatches = []
    pairs = 0
    seen: set[str] = set()
    models = model_paths.items()
    each = -(-max(PAIRS, LINES) // len(models))
    for (name, path), lines in zip(models, shares(text_lines, len(models), each), strict=True):
        tokenizer = load(playground, path)
        processor = spm.SentencePieceProcessor(model_file=str(path))
        for line, found in zip(lines, encode_in_page(tokenizer, lines), strict=True):
            if found != encode_natively(processor, line):
                mismatches.append((name, line))
        tokenizer.dispose()
        pairs += len(lines)
        seen.update(lines)
    what = f"the page in Chromium and native Python, {len(models)} models, {len(seen):,} lines"
    count_pairs(what, pairs, len(mismatches))
    assert mismatches == []
    assert pairs >= PAIRS
    if len(text_lines) > 1:
        assert len(seen) >= LINES


def shown_natively(processor: spm.SentencePieceProcessor, text: str) -> dict[str, Any]:
    """What the page is to show of a text: its ids, and of the last token where it lies."""
    ids = processor.encode(text)
    if not ids:
        return {"ids": [], "last": None}
    offsets: Any = processor.encode(text, return_type="offset_mapping")["offsets"]
    begin, end = offsets[-1]
    units = [len(text[:place].encode("utf-16-le")) // 2 for place in (begin, end)]
    bytes_ = [len(text[:place].encode()) for place in (begin, end)]
    return {"ids": ids, "last": [ids[-1], *units, *bytes_]}


@pytest.mark.parametrize("label", ["Demo Unigram", "Demo BPE"])
def test_what_is_to_be_read_on_the_page_is_what_python_says_of_a_text(
    playground: Playground,
    site_folder: Path,
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
    label: str,
) -> None:
    playground.page.set_viewport_size({"width": 1280, "height": 720})
    playground.use(label)
    name = label.lower().replace(" ", "_")
    model = site_folder / "models" / f"{name}.spm.fb"
    processor = spm.SentencePieceProcessor(model_file=str(model))
    # Each at most as long as the page shows without scrolling; a text area takes no CR.
    each = [_endless(some) for some in text_lines.values()]
    lines = chain.from_iterable(zip(*each, strict=True))
    short = (line[:60].replace("\r", "") for line in lines)
    texts = list(islice((text for text in short if is_encodable(text)), SHOWN_TEXTS // 2))
    found = playground.page.evaluate(READ_PAGE, json.dumps(texts))
    wrong = [
        text
        for text, shown in zip(texts, found, strict=True)
        if shown.get("last") != (native := shown_natively(processor, text))["last"]
        or shown["ids"] != native["ids"]
    ]
    count_pairs(f"the tokens on the page and native Python, {label}", len(texts), len(wrong))
    assert wrong == []


def is_encodable(text: str) -> bool:
    """Whether it has no lone surrogate."""
    return text == text.encode(errors="replace").decode()


@pytest.mark.parametrize("ending", [".model", ".spm.fb"])
def test_what_the_page_shows_of_a_real_model_is_what_python_says(
    playground: Playground,
    model_paths: dict[str, Path],
    spm_fb_paths: dict[str, Path],
    ending: str,
) -> None:
    paths = model_paths if ending == ".model" else spm_fb_paths
    name = next((name for name in ("gemma3", "mistral_v1") if name in paths), next(iter(paths)))
    playground.open_files(paths[name])
    playground.column(paths[name].name).panel.wait_for()
    processor = spm.SentencePieceProcessor(model_file=str(model_paths[name]))
    for text in ("Hello world", "a  b and    c", "line\n\n\n\nbreaks", "café 👋 日本語", "x" * 500):
        playground.type(text)
        assert playground.ids() == processor.encode(text), text
