"""The native module and the oracle, `sentencepiece` 0.2.3, on real models and texts.

Where a result of ours differs from the oracle's, the test names the model and the text.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
import sentencepiece
import spmlite

CountPairs = Callable[[str, int, int], None]
ReturnType: TypeAlias = Any

FEWEST_PAIRS_OF_IDS = 500_000
PAIRS_IN_DETAIL = 40_000
THREADS = 2


class Pair(NamedTuple):
    """The same model in the oracle and in ours."""

    name: str
    oracle: sentencepiece.SentencePieceProcessor
    ours: spmlite.SentencePieceProcessor


@pytest.fixture(scope="module")
def pairs(model_paths: dict[str, Path], spm_fb_paths: dict[str, Path]) -> list[Pair]:
    return [
        Pair(
            name,
            sentencepiece.SentencePieceProcessor(model_file=str(path)),
            spmlite.SentencePieceProcessor(model_file=spm_fb_paths[name]),
        )
        for name, path in model_paths.items()
    ]


def spread(texts: dict[str, list[str]], pairs: list[Pair], count: int) -> list[str]:
    """Lines of all texts, evenly spread, that make at least `count` pairs with the models.

    A text that is too short is taken whole; the longer ones make up for it.
    """
    wanted = -(-count // len(pairs))
    chosen: list[str] = []
    by_size = sorted(texts.values(), key=len)
    for left, lines in zip(range(len(by_size), 0, -1), by_size, strict=True):
        share = -(-(wanted - len(chosen)) // left)
        chosen += lines[:: max(1, len(lines) // share)]
    return chosen


def differences(oracle: list[Any], ours: list[Any], inputs: list[Any]) -> list[Any]:
    return [
        (text, expected, found)
        for text, expected, found in zip(inputs, oracle, ours, strict=True)
        if expected != found
    ]


def test_ids(
    pairs: list[Pair],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
    pytestconfig: pytest.Config,
) -> None:
    lines = spread(text_lines, pairs, pytestconfig.getoption("--pairs"))
    mismatches = []
    for name, oracle, ours in pairs:
        expected = oracle.encode(lines, num_threads=THREADS)
        found = ours.encode(lines, num_threads=THREADS)
        mismatches += [(name, *d) for d in differences(expected, found, lines)]
    compared = len(lines) * len(pairs)
    count_pairs(f"{len(pairs)} models, {len(lines):,} lines", compared, len(mismatches))
    assert not mismatches, mismatches[:5]
    assert compared >= FEWEST_PAIRS_OF_IDS


def test_models_are_of_all_kinds(pairs: list[Pair]) -> None:
    """So that the figure above means something."""
    published = [pair for pair in pairs if "trained" not in pair.name]
    sizes = [len(pair.oracle) for pair in published]
    types = {pair.ours._processor.model_type() for pair in published}
    assert types >= {1, 2}, "Unigram and BPE"
    assert max(sizes) >= 100_000 or not any("gemma" in pair.name for pair in pairs)
    if not any(pair.name.startswith("shared/") for pair in pairs):
        pytest.skip(f"without ../shared there are {len(published)} published models, not 10")
    assert len(published) >= 10
    assert min(sizes) <= 32_000
    assert max(sizes) == 262_144


@pytest.mark.parametrize("return_type", [str, bytes, "offset_mapping"])
def test_pieces_and_offsets(
    return_type: ReturnType,
    pairs: list[Pair],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    lines = spread(text_lines, pairs, PAIRS_IN_DETAIL)
    mismatches = []
    for name, oracle, ours in pairs:
        expected = oracle.encode(lines, return_type=return_type, num_threads=THREADS)
        found = ours.encode(lines, return_type=return_type, num_threads=THREADS)
        mismatches += [(name, *d) for d in differences(expected, found, lines)]
    count_pairs(f"{len(pairs)} models", len(lines) * len(pairs), len(mismatches))
    assert not mismatches, mismatches[:5]


def test_bytes_that_are_no_utf8(
    pairs: list[Pair], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    """Ids, and spans in bytes, of lines with bytes changed, lost and cut off."""
    generator = random.Random(0)
    texts = [
        spoilt(line.encode(), generator) for line in spread(text_lines, pairs, PAIRS_IN_DETAIL)
    ]
    mismatches = []
    for name, oracle, ours in pairs:
        expected = oracle.encode(texts, return_type="offset_mapping", num_threads=THREADS)
        found = ours.encode(texts, return_type="offset_mapping", num_threads=THREADS)
        mismatches += [(name, *d) for d in differences(expected, found, texts)]
    count_pairs(f"{len(pairs)} models", len(texts) * len(pairs), len(mismatches))
    assert not mismatches, mismatches[:5]


def spoilt(text: bytes, generator: random.Random) -> bytes:
    spoiling = bytearray(text)
    for _ in range(1 + len(text) // 20):
        place = generator.randrange(len(spoiling) + 1)
        match generator.randrange(3):
            case 0:
                spoiling[place:place] = generator.randbytes(generator.randrange(1, 4))
            case 1:
                del spoiling[place : place + 1]
            case 2:
                spoiling[place : place + 1] = bytes([generator.choice(b"\xc0\xed\xf4\xff\x00\x80")])
    return bytes(spoiling)


def test_decoding(
    pairs: list[Pair], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    """Of the ids and pieces of lines, and of ids at random, control and byte pieces among them."""
    lines = spread(text_lines, pairs, PAIRS_IN_DETAIL)
    mismatches = []
    compared = 0
    for name, oracle, ours in pairs:
        generator = random.Random(0)
        rows: list[Any] = oracle.encode(lines)
        rows += [
            [generator.choice(range(lowest)) for _ in range(generator.randrange(12))]
            for lowest in (len(oracle), min(300, len(oracle)))
            for _ in range(500)
        ]
        pieces = [oracle.id_to_piece(row) for row in rows if row]
        pieces += [["?", *row, "nicht da", "▁?"] for row in pieces[:500]]
        for batch in (rows, pieces):
            expected, found = oracle.decode(batch, bytes), ours.decode(batch, bytes)
            mismatches += [(name, *d) for d in differences(expected, found, batch)]
            compared += len(batch)
    count_pairs(f"{len(pairs)} models", compared, len(mismatches))
    assert not mismatches, mismatches[:5]


def test_normalizing(
    pairs: list[Pair], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    lines: list[Any] = spread(text_lines, pairs, PAIRS_IN_DETAIL)
    lines += [line.encode() for line in lines[::4]]
    mismatches = []
    for name, oracle, ours in pairs:
        expected = oracle.normalize(lines, with_offsets=True)
        found = ours.normalize(lines, with_offsets=True)
        mismatches += [(name, *d) for d in differences(expected, found, lines)]
    count_pairs(f"{len(pairs)} models", len(lines) * len(pairs), len(mismatches))
    assert not mismatches, mismatches[:5]


def test_vocabularies(pairs: list[Pair], count_pairs: CountPairs) -> None:
    """Every id's piece, score and types; every piece's id; the special ids."""
    mismatches = []
    for name, oracle, ours in pairs:
        assert len(ours) == len(oracle)
        for special in ("unk_id", "bos_id", "eos_id", "pad_id"):
            assert getattr(ours, special)() == getattr(oracle, special)(), (name, special)
        ids = list(range(len(oracle)))
        pieces = oracle.id_to_piece(ids)
        assert ours.piece_to_id(pieces) == oracle.piece_to_id(pieces), name
        for look_up in (
            "id_to_piece",
            "get_score",
            "is_unknown",
            "is_control",
            "is_unused",
            "is_byte",
        ):
            expected, found = getattr(oracle, look_up)(ids), getattr(ours, look_up)(ids)
            mismatches += [(name, look_up, *d) for d in differences(expected, found, ids)]
    compared = sum(len(pair.oracle) for pair in pairs)
    count_pairs(f"{len(pairs)} models, ids", compared, len(mismatches))
    assert not mismatches, mismatches[:5]
