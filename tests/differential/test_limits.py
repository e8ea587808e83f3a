"""How far the oracle looks, and what we refuse that it takes."""

from __future__ import annotations

import itertools

import pytest
import sentencepiece
import spmlite
from random_models import (
    BPE,
    CHAR,
    CONTROL,
    NORMAL,
    UNIGRAM,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    WORD,
    Proto,
)
from sentencepiece import sentencepiece_model_pb2

MODEL_TYPES = (UNIGRAM, BPE, WORD, CHAR)


def model(model_type: int) -> Proto:
    proto = sentencepiece_model_pb2.ModelProto()
    proto.trainer_spec.model_type = model_type
    proto.pieces.add(piece="<unk>", type=UNKNOWN)
    proto.pieces.add(piece="▁", score=-1, type=NORMAL)
    proto.pieces.add(piece="a", score=-1, type=NORMAL)
    proto.normalizer_spec.remove_extra_whitespaces = False
    return proto


def check(proto: Proto, texts: list[str]) -> None:
    content = proto.SerializeToString()
    oracle = sentencepiece.SentencePieceProcessor(model_proto=content)
    ours = spmlite.SentencePieceProcessor(model_proto=content)
    for return_type in (int, str, "offset_mapping"):
        expected = oracle.encode(texts, return_type=return_type)
        assert ours.encode(texts, return_type=return_type) == expected
    assert ours.normalize(texts) == oracle.normalize(texts)


@pytest.mark.parametrize("letter", [" ", "▁", "a", "\n"])
@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_of_user_defined_pieces_that_begin_alike_the_64_shortest_count(
    model_type: int, letter: str
) -> None:
    proto = model(model_type)
    for length in range(2, 100):
        proto.pieces.add(piece=letter * length, score=-1, type=USER_DEFINED)
    check(proto, [letter * length + "é" for length in range(200)])


def test_of_rules_that_begin_alike_the_32_shortest_count() -> None:
    """The oracle compiles no such charsmap, but reads one."""
    proto = model(BPE)
    proto.normalizer_spec.precompiled_charsmap = charsmap_of_runs(60)
    check(proto, ["a" * length for length in range(150)])


def charsmap_of_runs(longest: int) -> bytes:
    """Rules from runs of "a", up to `longest` of them, to letters of the alphabet in turn.

    The trie is a Darts double array in which each node has a block of 256 units of its own.
    """
    units = [0] * (256 * (longest + 2))
    units[0] = 256 << 10
    for length in range(1, longest + 1):
        block, node = 256 * (length + 1), 256 * length + ord("a")
        offset = node ^ block
        units[node] = offset << 10 | 1 << 8 | ord("a")
        units[block] = 1 << 31 | 2 * (length % 26)
    trie = b"".join(unit.to_bytes(4, "little") for unit in units)
    replacements = b"".join(bytes((letter, 0)) for letter in range(ord("a"), ord("z") + 1))
    return len(trie).to_bytes(4, "little") + trie + replacements


def test_an_unused_piece_is_taken_apart_alike_with_spaces_and_with_marks() -> None:
    proto = model(BPE)
    for number, piece in enumerate(("▁▁", "▁▁▁", "▁a", "▁▁a", "a▁")):
        proto.pieces.add(piece=piece, score=-number, type=UNUSED)
    check(proto, ["b" + "".join(rest) for rest in itertools.product("a ▁", repeat=6)])


@pytest.mark.parametrize("model_type", [UNIGRAM, WORD, CHAR])
def test_a_text_that_is_also_a_control_piece_is_refused(model_type: int) -> None:
    """A known departure: the oracle keeps two maps of pieces, but for BPE."""
    proto = model(model_type)
    proto.pieces.add(piece="a", type=CONTROL)
    content = proto.SerializeToString()
    assert len(sentencepiece.SentencePieceProcessor(model_proto=content)) == 4
    with pytest.raises(RuntimeError, match=r"piece 3 \(a\) is the same as piece 2"):
        spmlite.SentencePieceProcessor(model_proto=content)


@pytest.mark.parametrize("first_bytes", [b"\n<", b"\n{"])
def test_the_first_entry_may_have_any_size(first_bytes: bytes) -> None:
    proto = model(BPE)
    proto.pieces[0].piece = "x" * (first_bytes[1] - 4)
    assert proto.SerializeToString().startswith(first_bytes)
    check(proto, ["a", "xé"])


@pytest.mark.parametrize("type", [NORMAL, USER_DEFINED, CONTROL])
def test_the_unknown_piece_may_stand_beside_one_that_is_called_unk(type: int) -> None:
    proto = model(BPE)
    proto.pieces[0].piece = "?"
    proto.pieces.add(piece="<unk>", score=-1, type=type)
    check(proto, ["a", "xéa", "<unk>", "?"])
