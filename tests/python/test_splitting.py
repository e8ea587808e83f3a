"""Numbers of tokens, and texts that are cut to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite

CountPairs = Callable[[str, int, int], None]

TEXTS = [
    "",
    "   ",
    "Hello world, this is unbelievable text.  Two  spaces.\nNew line\t tab. " * 2,
    "日本語のテキスト、これは長い文章です。" * 2,
    "a" * 200,
    "mixed 日本語 text é🦙🦙 and ﷺ \u200b zero " * 2,
]
SIZES = (1, 2, 7, 20, 64)
SMALL = 1 << 20  # bytes of a model
# Below, a word that cannot be cut may have more: a run of unknown characters, say.
LARGE = 20


def quick(model_paths: dict[str, Path]) -> list[Path]:
    """Models that load at once."""
    return [path for path in model_paths.values() if path.stat().st_size < SMALL]


def test_counts_are_those_of_encode(model_paths: dict[str, Path], count_pairs: CountPairs) -> None:
    compared = 0
    for path in quick(model_paths):
        processor = spmlite.SentencePieceProcessor(path)
        counts = [len(ids) for ids in processor.encode(TEXTS)]
        assert processor.count(TEXTS) == processor.count(TEXTS, num_threads=2) == counts
        assert [processor.count(text) for text in TEXTS] == counts
        assert [processor.count(text.encode()) for text in TEXTS] == counts
        compared += len(TEXTS)
    count_pairs(f"{len(quick(model_paths))} models", compared, 0)


def test_a_front_has_the_first_tokens(
    model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    """Never more than asked for; nearly always the very ids that the text begins with."""
    compared = other_ids = 0
    for path in quick(model_paths):
        processor = spmlite.SentencePieceProcessor(path)
        for text in TEXTS:
            ids = processor.encode(text)
            for size in SIZES:
                front = processor.truncate(text, size)
                found = processor.encode(front)
                assert text.startswith(front)
                assert len(found) <= size
                assert processor.truncate(text.encode(), size) == front.encode()
                compared += 1
                other_ids += found != ids[: len(found)]
    count_pairs(f"{len(quick(model_paths))} models, {other_ids} with other ids", compared, 0)
    assert other_ids < compared / 20


@pytest.mark.parametrize("overlap", [0, 1, 5])
def test_parts_hold_the_whole_text(
    overlap: int, model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    compared = same_ids = 0
    for path in quick(model_paths):
        processor = spmlite.SentencePieceProcessor(path)
        for text in TEXTS:
            for size in SIZES:
                if overlap >= size:
                    continue
                parts = processor.split(text, size, overlap)
                check_parts(text, parts, processor, size, overlap)
                compared += 1
                ids = [id for part in parts for id in processor.encode(part.text)]
                same_ids += ids == processor.encode(text)
    count_pairs(f"overlap {overlap}, {same_ids} with the ids of the whole", compared, 0)


def check_parts(
    text: str,
    parts: list[spmlite.TextPart[str]],
    processor: spmlite.SentencePieceProcessor,
    size: int,
    overlap: int,
) -> None:
    """They cover the text but for spaces, each is what it says, and each goes on."""
    end = 0
    begin = -1
    for part in parts:
        assert part.text == text[part.begin : part.end]
        assert part.token_count == processor.count(part.text)
        assert part.token_count <= size or size < LARGE or len(part.text) == 1
        assert part.begin > begin
        assert part.end > end
        assert part.begin >= end or overlap
        assert not text[end : part.begin].strip(" \n\t\u200b▁")
        begin, end = part.begin, part.end
    assert not text[end:].strip()


def test_parts_of_gemma_have_the_ids_of_the_whole(gemma_tokenizer_json: Path) -> None:
    """Such a model puts no space in front of a text: any border of tokens will do."""
    with pytest.warns(UserWarning, match="<image_soft_token>"):  # it is in no vocabulary
        processor = spmlite.SentencePieceProcessor(gemma_tokenizer_json)
    for text in TEXTS:
        for size in SIZES:
            parts = processor.split(text, size)
            assert "".join(part.text for part in parts) == text
            ids = [id for part in parts for id in processor.encode(part.text)]
            assert ids == processor.encode(text)


def test_offsets_count_what_the_text_is_made_of(processor: spmlite.SentencePieceProcessor) -> None:
    text = "é🦙 Hello world"
    of_str = processor.split(text, 7)
    of_bytes = processor.split(text.encode(), 7)
    assert [part.text.encode() for part in of_str] == [part.text for part in of_bytes]
    for part in of_bytes:
        assert text.encode()[part.begin : part.end] == part.text
    assert (of_str[-1].begin, of_bytes[-1].begin) == (text.index("Hello"), 7)


def test_what_cannot_be_asked_for(processor: spmlite.SentencePieceProcessor) -> None:
    with pytest.raises(ValueError, match="max_tokens must not be below 0: -1"):
        processor.truncate("Hello", -1)
    with pytest.raises(ValueError, match="max_tokens must be at least 1: 0"):
        processor.split("Hello", 0)
    for overlap in (-1, 3):
        with pytest.raises(ValueError, match=f"overlap must be from 0 to 2: {overlap}"):
            processor.split("Hello", 3, overlap)
    with pytest.raises(TypeError):
        processor.count(7)  # type: ignore[call-overload]
    empty = spmlite.SentencePieceProcessor()
    for call in (
        empty.count,
        lambda text: empty.truncate(text, 1),
        lambda text: empty.split(text, 1),
    ):
        with pytest.raises(RuntimeError, match="no model is loaded"):
            call("Hello")
