"""What encode_lines.mjs writes, and what native Python has in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spmlite import SentencePieceProcessor


def lines_of(texts: dict[str, list[str]], count: int) -> list[str]:
    """Lines spread evenly over each text, about `count` in all."""
    share = -(-count // len(texts))
    return [line for lines in texts.values() for line in lines[:: max(1, len(lines) // share)]]


def write_lines(lines: list[str], path: Path) -> None:
    """What the scripts of the package's test folder read: a line of JSON each."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def records_in(numbers: NDArray[np.int32], width: int) -> Iterator[NDArray[np.int32]]:
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


def expected_record(processor: SentencePieceProcessor, line: str) -> list[int]:
    """Ids, UTF-16 offsets and byte offsets, one after the other."""
    in_characters = processor.encode(line, return_type="offset_mapping")
    in_bytes = processor.encode(line.encode(), return_type="offset_mapping")
    return [
        *in_characters["ids"],
        *to_utf16(line, in_characters["offsets"]),
        *(offset for pair in in_bytes["offsets"] for offset in pair),
    ]


def count_mismatches(found: Iterator[NDArray[np.int32]], expected: list[list[int]]) -> int:
    """How many records differ from what is expected in their place."""
    return sum(record.tolist() != right for record, right in zip(found, expected, strict=True))
