"""Models made up to bring out what real ones hide: ours does what the oracle does with each.

These are the cases in which the published lite runtime departs from the oracle.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2

CountPairs = Callable[[str, int, int], None]
Proto: TypeAlias = Any  # protobuf makes the class when it is imported
Processor: TypeAlias = Any  # the oracle's or ours

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
UNIGRAM, BPE, WORD, CHAR = range(1, 5)

UNKNOWN_PIECE = ("<unk>", 0.0, UNKNOWN)
BYTES = [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256)]


def model(pieces: Iterable[tuple[str, float, int]], model_type: int, **trainer: object) -> Proto:
    """A model without a dummy prefix and with spaces left alone."""
    proto = sentencepiece_model_pb2.ModelProto()
    for piece, score, type in pieces:
        proto.pieces.add(piece=piece, score=score, type=type)
    proto.trainer_spec.model_type = model_type
    for name, value in trainer.items():
        setattr(proto.trainer_spec, name, value)
    proto.normalizer_spec.add_dummy_prefix = False
    proto.normalizer_spec.remove_extra_whitespaces = False
    return proto


def letters(text: str, score: float = -10.0) -> list[tuple[str, float, int]]:
    return [(letter, score, NORMAL) for letter in text]


def outcome(processor: type[Any], proto: Proto, call: Callable[[Any], Any]) -> Any:  # noqa: ANN401
    """What a call returns, or the type of what loading or the call raises."""
    try:
        return call(processor(model_proto=proto.SerializeToString()))
    except Exception as exception:
        return type(exception)


def check(proto: Proto, call: Callable[[Any], Any], expected: object) -> None:
    """The oracle gives what is expected, and ours the same."""
    assert outcome(sentencepiece.SentencePieceProcessor, proto, call) == expected
    assert outcome(spmlite.SentencePieceProcessor, proto, call) == expected


def test_an_unused_piece_is_merged_on_the_way_to_a_longer_one() -> None:
    pieces = [UNKNOWN_PIECE, *letters("abcd")]
    pieces += [("ab", -1.0, UNUSED), ("abc", -2.0, NORMAL), ("cd", -3.0, NORMAL)]
    proto = model(pieces, BPE)
    check(proto, lambda p: p.encode("abc", out_type=str), ["abc"])
    check(proto, lambda p: p.encode("ab", out_type=str), ["a", "b"])


def test_scores_of_bpe_may_be_fractions() -> None:
    pieces = [UNKNOWN_PIECE, *letters("abc"), ("ab", -0.7, NORMAL), ("bc", -0.2, NORMAL)]
    check(model(pieces, BPE), lambda p: p.encode("abc", out_type=str), ["a", "bc"])


def test_the_unknown_id_is_where_the_unknown_piece_is() -> None:
    pieces = [("ab", -1.0, NORMAL), ("a", -2.0, NORMAL), UNKNOWN_PIECE, ("b", -3.0, NORMAL)]
    proto = model(pieces, BPE, unk_id=0)
    check(proto, lambda p: p.encode("abx"), [0, 2])
    check(proto, lambda p: p.unk_id(), 2)


@pytest.mark.parametrize(
    ("surface", "text"), [(None, "a ⁇ b"), ("", "ab"), ("?", "a?b"), (" ▁ ", "a ▁ b")]
)
def test_unk_surface_is_what_unknown_ids_decode_to(surface: str | None, text: str) -> None:
    proto = model([UNKNOWN_PIECE, *letters("ab")], BPE)
    if surface is not None:
        proto.trainer_spec.unk_surface = surface
    check(proto, lambda p: p.decode([1, 0, 2]), text)


def test_a_model_without_specs_has_their_defaults() -> None:
    proto = model([UNKNOWN_PIECE, *letters("▁ab")], UNIGRAM)
    proto.ClearField("normalizer_spec")
    proto.ClearField("trainer_spec")
    check(proto, lambda p: p.encode(" a  b ", out_type=str), ["▁", "a", "▁", "b"])


def test_the_denormalizer_is_applied() -> None:
    charsmap = sentencepiece.SentencePieceNormalizer(norm_map=[("ab", "X"), ("▁", " ")])
    proto = model([UNKNOWN_PIECE, *letters("▁abc")], UNIGRAM)
    spec = proto.denormalizer_spec
    spec.ParseFromString(charsmap.serialized_normalizer_spec())
    for prefix, extra in ((False, False), (True, False), (False, True)):
        spec.add_dummy_prefix, spec.remove_extra_whitespaces = prefix, extra
        for ids in ([2, 3, 4], [1, 1, 4, 1, 2, 3, 1], []):
            oracle = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
            check(proto, lambda p, ids=ids: p.decode(ids), oracle.decode(ids))


def test_a_nul_piece_is_put_out_of_use_beside_bytes() -> None:
    proto = model([UNKNOWN_PIECE, *BYTES, ("\0", 0.0, NORMAL)], BPE, byte_fallback=True)
    check(proto, lambda p: (len(p), p.is_unused(257)), (258, True))
    check(proto, lambda p: p.encode("\0"), [1])


def test_bytes_may_be_anywhere() -> None:
    scattered = [*BYTES, *letters("ab"), UNKNOWN_PIECE]
    random.Random(0).shuffle(scattered)
    proto = model(scattered, BPE, byte_fallback=True)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
    for text in ("aéb🦙", "\0\x7f", "ab"):
        check(proto, lambda p, text=text: p.encode(text), oracle.encode(text))
        check(proto, lambda p, text=text: p.decode(p.encode(text)), text)


@pytest.mark.parametrize(
    ("pieces", "trainer"),
    [
        ([UNKNOWN_PIECE, *BYTES], {}),
        ([UNKNOWN_PIECE, *BYTES[:-1]], {"byte_fallback": True}),
        ([UNKNOWN_PIECE, ("<0xZZ>", 0.0, BYTE), *BYTES[1:]], {"byte_fallback": True}),
        ([UNKNOWN_PIECE, ("<0x0a>", 0.0, BYTE), *BYTES[1:]], {"byte_fallback": True}),
        ([UNKNOWN_PIECE, ("", 0.0, NORMAL)], {}),
        ([UNKNOWN_PIECE, ("a", 0.0, NORMAL), ("a", 0.0, NORMAL)], {}),
        ([UNKNOWN_PIECE, ("a\0b", 0.0, NORMAL)], {}),
        ([UNKNOWN_PIECE, ("\0", 0.0, NORMAL)], {}),
        ([UNKNOWN_PIECE, ("\0", 0.0, NORMAL), *BYTES], {"byte_fallback": True}),
        ([UNKNOWN_PIECE, ("a" * 8000, 0.0, NORMAL)], {}),
        ([UNKNOWN_PIECE, ("?", 0.0, UNKNOWN)], {}),
        ([("a", 0.0, NORMAL)], {}),
        ([UNKNOWN_PIECE, ("a", float("nan"), NORMAL)], {}),
        ([UNKNOWN_PIECE, ("a", float("inf"), NORMAL)], {}),
        ([], {}),
    ],
    ids=[
        "bytes without byte_fallback",
        "a byte is missing",
        "a byte that is none",
        "a byte in lower case",
        "empty piece",
        "piece twice",
        "piece with NUL",
        "NUL without byte_fallback",
        "no text but a NUL",
        "piece of 8,000 bytes",
        "two unknown pieces",
        "no unknown piece",
        "score is NaN",
        "score is infinite",
        "no pieces",
    ],
)
def test_what_the_oracle_refuses_is_refused(
    pieces: list[tuple[str, float, int]], trainer: dict[str, object]
) -> None:
    check(model(pieces, UNIGRAM, **trainer), lambda p: p.encode("a"), RuntimeError)


def test_no_unknown_piece_beside_bytes() -> None:
    proto = model([*BYTES, ("a", 0.0, NORMAL)], BPE, byte_fallback=True)
    check(
        proto, lambda p: (p.unk_id(), p.encode("aé"), p.piece_to_id("x")), (-1, [256, 195, 169], -1)
    )


@pytest.mark.parametrize("model_type", [UNIGRAM, BPE, WORD, CHAR])
def test_random_models(model_type: int, count_pairs: CountPairs) -> None:
    """Few letters, equal scores and all types of pieces: here ties and odd corners are common."""
    generator = random.Random(model_type)
    mismatches = compared = 0
    for number in range(150):
        proto = random_model(generator, model_type)
        content = proto.SerializeToString()
        oracle = sentencepiece.SentencePieceProcessor(model_proto=content)
        ours = spmlite.SentencePieceProcessor(model_proto=content)
        texts: list[Any] = [random_text(generator) for _ in range(60)]
        texts += [text.encode() + b"\xe2\x96" for text in texts[:10]]
        rows = [[generator.randrange(len(oracle)) for _ in range(8)] for _ in range(20)]
        for expected, found in zip(
            results(oracle, texts, rows), results(ours, texts, rows), strict=True
        ):
            compared += len(expected)
            mismatches += expected != found
            assert found == expected, (number, proto)
    count_pairs("made-up models", compared, mismatches)


def results(processor: Processor, texts: list[Any], rows: list[list[int]]) -> list[list[Any]]:
    return [
        processor.encode(texts),
        processor.encode(texts, out_type=str),
        processor.encode(texts, out_type="offset_mapping"),
        processor.encode(texts, out_type="offset_mapping", return_bytes=True),
        processor.normalize(texts, with_offsets=True),
        processor.decode(rows, bytes),
        processor.decode([processor.id_to_piece(row) for row in rows], bytes),
    ]


ALPHABET = "ab▁é"


def random_text(generator: random.Random) -> str:
    return "".join(generator.choices("aabb  é▁<x🦙", k=generator.randrange(14)))


def random_model(generator: random.Random, model_type: int) -> Proto:
    pieces = {"<unk>": (0.0, UNKNOWN), "<s>": (0.0, CONTROL)}
    for _ in range(generator.randrange(4, 40)):
        piece = "".join(generator.choices(ALPHABET, k=generator.randrange(1, 5)))
        score = generator.choice((-1.0, -2.0, -2.5, 0.0, 1.0, -generator.random() * 9))
        type = generator.choice((*[NORMAL] * 7, USER_DEFINED, UNUSED, CONTROL))
        pieces.setdefault(piece, (score, type))
    # Unigram takes no model without a normal piece.
    pieces.setdefault("ab", (-3.0, NORMAL))
    byte_fallback = generator.random() < 0.4
    listed = [(piece, score, type) for piece, (score, type) in pieces.items()]
    listed += BYTES if byte_fallback else []
    generator.shuffle(listed)
    proto = model(listed, model_type, byte_fallback=byte_fallback)
    spec = proto.normalizer_spec
    spec.add_dummy_prefix = generator.random() < 0.5
    spec.remove_extra_whitespaces = generator.random() < 0.5
    spec.escape_whitespaces = generator.random() < 0.8
    proto.trainer_spec.treat_whitespace_as_suffix = generator.random() < 0.3
    return proto
