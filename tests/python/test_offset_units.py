"""Offsets in the unit that is asked for: those in characters, counted anew in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

import pytest
from spmlite import SentencePieceProcessor, set_random_generator_seed

CountPairs = Callable[[str, int, int], None]
Pairs = list[tuple[int, int]]
Unit = Literal["characters", "bytes", "utf16"]

UNITS: tuple[Unit, ...] = ("characters", "bytes", "utf16")
TEXT = "Hello 🦙é🦙\N{COMBINING ACUTE ACCENT} \0world"
LINES = 250


def counted(text: str, pairs: Pairs, unit: Unit) -> Pairs:
    """Pairs of offsets in characters, in another unit."""
    encoding = {"characters": "utf-32-le", "bytes": "utf-8", "utf16": "utf-16-le"}[unit]
    size = {"characters": 4, "bytes": 1, "utf16": 2}[unit]
    widths = (len(character.encode(encoding)) // size for character in text)
    places = list(accumulate(widths, initial=0))
    return [(places[begin], places[end]) for begin, end in pairs]


def mappings(
    processor: SentencePieceProcessor, line: str
) -> Iterator[tuple[str, Callable[..., dict[str, Any]]]]:
    """The text that offsets are of, and the call that gives them in a unit."""
    yield line, lambda **unit: processor.encode(line, return_type="offset_mapping", **unit)
    ids = processor.encode(line)
    decoded = processor.decode(ids)
    yield decoded, lambda **unit: processor.decode(ids, return_type="offset_mapping", **unit)


def test_offsets_are_those_in_characters_counted_anew(
    spm_fb_paths: dict[str, Path], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    share = -(-LINES // len(text_lines))
    lines = [line for many in text_lines.values() for line in many[:: len(many) // share + 1]]
    mismatches = []
    pairs = 0
    for name, model in spm_fb_paths.items():
        processor = SentencePieceProcessor(model)
        for line in [TEXT, *lines]:
            for text, tell in mappings(processor, line):
                plain = tell()
                for unit in UNITS:
                    expected = plain | {"offsets": counted(text, plain["offsets"], unit)}
                    pairs += 1
                    if tell(offset_unit=unit) != expected:
                        mismatches.append((name, unit, line))
    count_pairs(f"offsets of {len(spm_fb_paths)} models in {UNITS}", pairs, len(mismatches))
    assert mismatches == []
    assert pairs >= 10_000


def test_the_unit_leaves_bytes_and_str_as_they_are(processor: SentencePieceProcessor) -> None:
    for text, other in ((TEXT, TEXT.encode()), (TEXT.encode(), TEXT)):
        plain = processor.encode(text, return_type="offset_mapping")
        for unit in UNITS:
            told = processor.encode(text, return_type="offset_mapping", offset_unit=unit)
            same = processor.encode(other, return_type="offset_mapping", offset_unit=unit)
            assert told["pieces"] == plain["pieces"]
            assert told["offsets"] == same["offsets"]
    pieces = processor.encode(TEXT.encode(), return_type=bytes)
    told = processor.decode(pieces, return_type="offset_mapping", offset_unit="characters")
    assert told["text"].decode() == TEXT
    assert told["offsets"][-1][1] == len(TEXT)


def test_without_a_unit_offsets_are_the_oracles(processor: SentencePieceProcessor) -> None:
    units: dict[bool, Unit] = {False: "characters", True: "bytes"}
    for in_bytes, unit in units.items():
        for call, argument in (
            (processor.encode, TEXT),
            (processor.decode, processor.encode(TEXT)),
        ):
            plain = call(argument, return_type="offset_mapping", return_bytes=in_bytes)
            assert plain == call(
                argument, return_type="offset_mapping", return_bytes=in_bytes, offset_unit=unit
            )


def test_batches_and_draws_have_units_as_well(processor: SentencePieceProcessor) -> None:
    told = processor.encode([TEXT, "🦙"], return_type="offset_mapping", offset_unit="utf16")
    assert told[1]["offsets"][-1] == (0, 2)
    ids = processor.encode([TEXT, "🦙"])
    told = processor.decode(ids, return_type="offset_mapping", offset_unit="utf16")
    assert told[1]["offsets"][-1] == (0, 2)
    drawn = {}
    for unit in UNITS:
        set_random_generator_seed(7)
        drawn[unit] = processor.encode_as_offset_mapping(
            TEXT, enable_sampling=True, alpha=0.5, offset_unit=unit
        )
    for unit in UNITS:
        assert drawn[unit]["offsets"] == counted(TEXT, drawn["characters"]["offsets"], unit)


def test_a_unit_that_there_is_not(processor: SentencePieceProcessor) -> None:
    with pytest.raises(ValueError, match="'bits' instead of one of"):
        processor.encode("a", return_type="offset_mapping", offset_unit="bits")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'bits' instead of one of"):
        processor.decode([5], return_type="offset_mapping", offset_unit="bits")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="offset_mapping"):
        processor.encode("a", offset_unit="bytes")
    with pytest.raises(ValueError, match="offset_mapping"):
        processor.decode([5], offset_unit="bytes")
