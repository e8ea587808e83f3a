"""Models that hypothesis makes up: small, and with all that a `.model` can say."""

from __future__ import annotations

import functools
import random
from typing import Any, TypeAlias

import sentencepiece
from hypothesis import strategies as st
from random_texts import FRAGMENTS
from sentencepiece import sentencepiece_model_pb2

Proto: TypeAlias = Any  # protobuf makes the class when it is imported
Piece: TypeAlias = tuple[str, float, int]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
UNIGRAM, BPE, WORD, CHAR = range(1, 5)

BYTES: list[Piece] = [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256)]
RULES = ("nfkc", "nmt_nfkc", "nfkc_cf", "nmt_nfkc_cf")
FLAGS = (
    "add_dummy_prefix",
    "remove_extra_whitespaces",
    "escape_whitespaces",
)

# Lengths in bytes whose bonus, 0.1 * (bytes - 1), is another float when it is not
# rounded from double; and runs of more pieces within pieces than the oracle looks at.
LONG_RUNS = (10, 14, 19, 22, 27, 32, 40, 70)

_fragments = st.sampled_from([piece for piece in FRAGMENTS if "\0" not in piece])
_words = st.lists(_fragments, min_size=1, max_size=5).map("".join)
_runs = st.tuples(_fragments, st.sampled_from(LONG_RUNS)).map(lambda run: run[0] * run[1])
_letters = st.lists(st.sampled_from("ab▁"), min_size=1, max_size=4).map("".join)
# Marks, which texts spell as spaces and as marks.
_marks = st.sampled_from(("▁▁", "▁▁▁", "▁a▁", "▁▁a"))
_texts_of_pieces = st.one_of(_marks, _letters, _letters, _fragments, _words, _words, _runs)
_scores = st.one_of(
    st.sampled_from((-1.0, -2.0, -2.5, -0.7, -0.2, 0.0, -0.0, 1.0)),
    st.integers(-30, 0).map(float),
    st.floats(-10, 10, width=32),
)
_types = st.sampled_from((*[NORMAL] * 8, *[USER_DEFINED] * 2, *[UNUSED] * 2, CONTROL))
_pieces = st.tuples(_texts_of_pieces, _scores, _types)
# Sums that are exact, that are rounded away, that are re-centred, that overflow.
_scales = st.sampled_from((*[1.0] * 6, 0.001, 4e4, 3e5, 1e37))


@st.composite
def models(draw: st.DrawFn, model_type: int) -> Proto:
    """A model that the oracle should take."""
    proto = sentencepiece_model_pb2.ModelProto()
    byte_fallback = draw(st.booleans())
    for piece, score, type in draw(_vocabularies(byte_fallback)):
        proto.pieces.add(piece=piece, score=score, type=type)
    if model_type != UNIGRAM or draw(st.booleans()):
        proto.trainer_spec.model_type = model_type
    if byte_fallback:
        proto.trainer_spec.byte_fallback = True
    if draw(st.booleans()):
        proto.trainer_spec.treat_whitespace_as_suffix = draw(st.booleans())
    unk_surface = draw(st.sampled_from((None, None, "", "?", " ▁ ", "é")))
    if unk_surface is not None:
        proto.trainer_spec.unk_surface = unk_surface
    draw(_fill_spec(proto, "normalizer_spec"))
    draw(_fill_spec(proto, "denormalizer_spec"))
    return proto


@st.composite
def faulty_models(draw: st.DrawFn, model_type: int) -> Proto:
    """A model with one thing changed that the oracle may mind."""
    proto = draw(models(model_type))
    piece = draw(st.sampled_from(range(len(proto.pieces))))
    fault = draw(st.sampled_from(sorted(FAULTS)))
    FAULTS[fault](proto, piece)
    return proto


FAULTS: dict[str, Any] = {
    "no piece": lambda proto, piece: proto.pieces.pop(piece),
    "twice": lambda proto, piece: proto.pieces.append(proto.pieces[piece]),
    "empty": lambda proto, piece: setattr(proto.pieces[piece], "piece", ""),
    "NUL": lambda proto, piece: setattr(proto.pieces[piece], "piece", "a\0"),
    "NUL alone": lambda proto, piece: setattr(proto.pieces[piece], "piece", "\0"),
    "long": lambda proto, piece: setattr(proto.pieces[piece], "piece", "a" * 8000),
    "of 7,999 bytes": lambda proto, piece: setattr(proto.pieces[piece], "piece", "a" * 7999),
    "unknown": lambda proto, piece: setattr(proto.pieces[piece], "type", UNKNOWN),
    "a byte": lambda proto, piece: setattr(proto.pieces[piece], "type", BYTE),
    "no byte": lambda proto, piece: setattr(proto.pieces[piece], "type", NORMAL),
    "not a number": lambda proto, piece: setattr(proto.pieces[piece], "score", float("nan")),
    "infinite": lambda proto, piece: setattr(proto.pieces[piece], "score", float("inf")),
    "byte_fallback": lambda proto, _: setattr(
        proto.trainer_spec, "byte_fallback", not proto.trainer_spec.byte_fallback
    ),
    "no pieces": lambda proto, _: proto.ClearField("pieces"),
    "charsmap cut off": lambda proto, piece: setattr(
        proto.normalizer_spec, "precompiled_charsmap", b"\x00\x04\x00\x00" + bytes(piece)
    ),
}


@st.composite
def _vocabularies(draw: st.DrawFn, byte_fallback: bool) -> list[Piece]:
    listed = draw(st.lists(_pieces, min_size=1, max_size=40))
    scale = draw(_scales)
    pieces = {piece: (score * scale, type) for piece, score, type in listed}
    pieces["ab"] = (-3.0 * scale, NORMAL)  # Unigram takes no model without a normal piece
    for special in draw(st.sets(st.sampled_from(("<s>", "</s>", "<pad>")))):
        pieces[special] = (0.0, CONTROL)
    if draw(st.booleans()):
        letters = draw(st.sampled_from(("abcdé", "▁ab ", "ab")))
        pieces |= dict.fromkeys(letters, (-9.0 * scale, NORMAL))
    # A run of pieces within pieces, as those of spaces and lines of Gemma 3.
    nested = draw(st.sampled_from((*[0] * 7, 40, 80)))
    letter = draw(st.sampled_from(" ▁\na"))
    for length in range(2, nested):
        pieces.setdefault(letter * length, (-1.0, USER_DEFINED))
    pieces[draw(st.sampled_from(("<unk>", "<unk>", "?", "▁")))] = (0.0, UNKNOWN)
    if byte_fallback:
        for byte, _, _ in BYTES:
            pieces.pop(byte, None)
    vocabulary = [(piece, score, type) for piece, (score, type) in pieces.items()]
    if byte_fallback:
        vocabulary += BYTES
        if draw(st.integers(0, 7)) == 0:
            vocabulary.append(("\0", -1.0, NORMAL))
    if draw(st.booleans()):
        random.Random(draw(st.integers(0, 1000))).shuffle(vocabulary)
    return vocabulary


@st.composite
def _fill_spec(draw: st.DrawFn, proto: Proto, name: str) -> None:
    """Any combination of the flags, each present or not; or no spec at all."""
    if draw(st.integers(0, 4)) == 0:
        return
    spec = getattr(proto, name)
    spec.SetInParent()
    charsmap = draw(st.one_of(st.none(), st.sampled_from(RULES), _rules))
    if isinstance(charsmap, str):
        spec.precompiled_charsmap = charsmap_of_rule(charsmap)
    elif charsmap is not None:
        spec.precompiled_charsmap = charsmap_of(charsmap)
    for flag in FLAGS:
        value = draw(st.sampled_from((True, False, None)))
        if value is not None:
            setattr(spec, flag, value)


_sources = st.lists(_fragments, min_size=1, max_size=3).map("".join)
_targets = st.lists(st.one_of(_fragments, st.just(" ")), max_size=3).map("".join)


def _changes(rules: dict[str, str]) -> dict[str, str]:
    """Those rules that change something: the oracle takes no others."""
    return {source: target for source, target in rules.items() if source != target}


# The last one: thirty rules within each other, the most that the oracle compiles.
_rules = st.one_of(
    st.dictionaries(_sources, _targets, max_size=8).map(_changes).filter(bool),
    st.just({"a" * length: "b" * (length % 3) for length in range(1, 31)}),
)


@functools.cache
def charsmap_of_rule(name: str) -> bytes:
    return _charsmap(sentencepiece.SentencePieceNormalizer(rule_name=name))


def charsmap_of(rules: dict[str, str]) -> bytes:
    return _charsmap(sentencepiece.SentencePieceNormalizer(norm_map=list(rules.items())))


def _charsmap(normalizer: sentencepiece.SentencePieceNormalizer) -> bytes:
    spec = sentencepiece_model_pb2.NormalizerSpec()
    spec.ParseFromString(normalizer.serialized_normalizer_spec())
    charsmap: bytes = spec.precompiled_charsmap
    return charsmap
