"""What wasm/test/encode_lines.mjs writes, and what native Python has in its place."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spmlite import SentencePieceProcessor

Numbers = NDArray[np.int32]
# How many numbers an id has in a record: itself and, with offsets, two in UTF-16 units and two
# in bytes.
IDS, OFFSETS = 1, 5
# As many pairs of a model and a line, at least, are compared with offsets in every engine.
PAIRS_OF_OFFSETS = 20_000


def lines_of(texts: dict[str, list[str]], count: int) -> list[str]:
    """At least `count` lines, spread evenly over each text; short ones leave more to the others."""
    chosen: list[str] = []
    by_length = sorted(texts.values(), key=len)
    for number, lines in enumerate(by_length):
        share = max(1, -(-(count - len(chosen)) // (len(texts) - number)))
        chosen += lines[:: max(1, len(lines) // share)]
    return chosen


def write_lines(lines: Sequence[str], path: Path) -> None:
    """What the scripts of the package's test folder read: a line of JSON each."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def expected_numbers(model: Path, lines: Sequence[str], width: int) -> Numbers:
    """What a script of the package writes of all lines, by native Python."""
    processor = SentencePieceProcessor(model)
    if width == IDS:
        ids = processor.encode(list(lines), return_type="numpy")
        parts = ((np.array([len(record)], dtype=np.int32), record) for record in ids)
        return np.concatenate(list(chain.from_iterable(parts)))
    numbers = array("i")
    for line in lines:
        units = [
            processor.encode(line, return_type="offset_mapping", offset_unit=unit)
            for unit in ("utf16", "bytes")
        ]
        numbers.append(len(units[0]["ids"]))
        numbers.extend(units[0]["ids"])
        for told in units:
            numbers.extend(chain.from_iterable(told["offsets"]))
    return np.frombuffer(numbers, dtype=np.int32)


def count_mismatches(found: Numbers, expected: Numbers, width: int) -> int:
    """How many records differ."""
    if np.array_equal(found, expected):
        return 0
    pairs = zip(records_in(found, width), records_in(expected, width), strict=True)
    return sum(not np.array_equal(one, other) for one, other in pairs)


def records_in(numbers: Numbers, width: int) -> Iterator[Numbers]:
    """Cut behind each record: the number of its ids, and `width` numbers for each."""
    at = 0
    while at < len(numbers):
        end = at + 1 + width * int(numbers[at])
        yield numbers[at + 1 : end]
        at = end


def to_utf16(line: str, offsets: list[tuple[int, int]]) -> list[int]:
    """Pairs of offsets in characters as a list of offsets in UTF-16 units."""
    units = list(accumulate((1 + (character > "\uffff") for character in line), initial=0))
    return [units[offset] for pair in offsets for offset in pair]
