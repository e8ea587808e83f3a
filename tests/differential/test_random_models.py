"""Models and texts that hypothesis makes up: ours does with each what the oracle does.

The models are the same in every run, unless SPMLITE_DIFFERENTIAL_MODELS says how many
of each type to make: then they are new ones, with SPMLITE_DIFFERENTIAL_TEXTS texts each.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from random_models import BPE, CHAR, UNIGRAM, WORD, Proto, faulty_models, models
from random_texts import FRAGMENTS, Text, more_texts, texts
from sentencepiece import sentencepiece_pb2

CountPairs = Callable[[str, int, int], None]
Processor: TypeAlias = Any  # the oracle's or ours

MODEL_TYPES = {"unigram": UNIGRAM, "bpe": BPE, "word": WORD, "char": CHAR}
MODELS = "SPMLITE_DIFFERENTIAL_MODELS"
TEXTS_OF_A_MODEL = int(os.environ.get("SPMLITE_DIFFERENTIAL_TEXTS", "100"))
TEXTS_OF_NBEST = 20
MOST_OF_NBEST = 40
EXTRA_OPTIONS = ("add_bos", "add_eos", "reverse", "emit_unk_piece")

sentencepiece.set_min_log_level(3)

made_up = settings(
    max_examples=int(os.environ.get(MODELS, "60")),
    derandomize=MODELS not in os.environ,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_random_models_and_texts(model_type: str, count_pairs: CountPairs) -> None:
    compared = 0

    @made_up
    @given(
        models(MODEL_TYPES[model_type]),
        st.lists(texts, max_size=10),
        st.integers(0, 2**32),
        st.sets(st.sampled_from(EXTRA_OPTIONS)),
    )
    def compare(proto: Proto, drawn: list[Text], seed: int, options: set[str]) -> None:
        nonlocal compared
        content = proto.SerializeToString()
        oracle = sentencepiece.SentencePieceProcessor(model_proto=content)
        ours = spmlite.SentencePieceProcessor(model_proto=content)
        vocabulary = [piece.piece for piece in proto.pieces if len(piece.piece) < 200]
        lines = [*drawn, *more_texts(vocabulary, TEXTS_OF_A_MODEL - len(drawn), seed)]
        compare_pieces(oracle, ours)
        compare_encoding(oracle, ours, lines, dict.fromkeys(options, True))
        compare_decoding(oracle, ours, random.Random(seed))
        if model_type == "unigram":
            compare_nbest(oracle, ours, lines[:TEXTS_OF_NBEST], seed % MOST_OF_NBEST + 1)
        compared += len(lines)

    compare()
    count_pairs(f"{model_type} models and texts made up", compared, 0)


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_models_with_a_fault(model_type: str, count_pairs: CountPairs) -> None:
    """What the oracle refuses is refused with a sentence; what it takes is taken."""
    compared = refused = 0

    @made_up
    @given(faulty_models(MODEL_TYPES[model_type]), st.integers(0, 2**32))
    def compare(proto: Proto, seed: int) -> None:
        nonlocal compared, refused
        content = proto.SerializeToString()
        assume(content)  # no content counts as no model
        compared += 1
        try:
            oracle = sentencepiece.SentencePieceProcessor(model_proto=content)
        except RuntimeError:
            refused += 1
            with pytest.raises(RuntimeError, match=r"\w+ \w+"):
                spmlite.SentencePieceProcessor(model_proto=content)
            return
        ours = spmlite.SentencePieceProcessor(model_proto=content)
        compare_encoding(oracle, ours, more_texts(FRAGMENTS, 10, seed), {})

    compare()
    count_pairs(f"{model_type} models with a fault, {refused} refused", compared, 0)


def compare_pieces(oracle: Processor, ours: Processor) -> None:
    ids = range(len(oracle))
    assert len(ours) == len(ids)
    for look_up in ("id_to_piece", "get_score", "is_unknown", "is_control", "is_unused", "is_byte"):
        expected = [getattr(oracle, look_up)(id) for id in ids]
        assert [getattr(ours, look_up)(id) for id in ids] == expected, look_up
    pieces = [*oracle.id_to_piece(list(ids)), *FRAGMENTS, ""]
    assert ours.piece_to_id(pieces) == oracle.piece_to_id(pieces)
    for special in ("unk_id", "bos_id", "eos_id", "pad_id"):
        assert getattr(ours, special)() == getattr(oracle, special)(), special


def compare_encoding(
    oracle: Processor, ours: Processor, lines: list[Text], options: dict[str, bool]
) -> None:
    for return_type in (int, str, bytes, "offset_mapping"):
        expected = oracle.encode(lines, return_type=return_type)
        compare_rows(lines, expected, ours.encode(lines, return_type=return_type))
    for return_type in (int, str):
        expected = encoded_or_refused(oracle, lines, return_type, options)
        compare_rows(lines, expected, encoded_or_refused(ours, lines, return_type, options))
    expected = oracle.normalize(lines, with_offsets=True)
    compare_rows(lines, expected, ours.normalize(lines, with_offsets=True))
    for line in lines[:5]:
        compare_rows([line], [oracle.encode(line)], [ours.encode(line)])
        compare_rows([line], [oracle.normalize(line)], [ours.normalize(line)])
    rows = oracle.encode(lines)
    compare_rows(rows, oracle.decode(rows, bytes), ours.decode(rows, bytes))


def encoded_or_refused(
    processor: Processor, lines: list[Text], return_type: type, options: dict[str, bool]
) -> list[Any]:
    """What the model has no piece for is refused: then the exception's type for each line."""
    try:
        encoded: list[Any] = processor.encode(lines, return_type=return_type, **options)
    except (RuntimeError, ValueError) as error:
        return [type(error)] * len(lines)
    return encoded


def compare_nbest(oracle: Processor, ours: Processor, lines: list[Text], nbest_size: int) -> None:
    """The ways to cut a text in their order, with their scores."""
    nbests = oracle.nbest_encode(lines, nbest_size=nbest_size, return_type="proto")
    serialized = ours.nbest_encode(lines, nbest_size=nbest_size, return_type="serialized_proto")
    parsed = [sentencepiece_pb2.NBestSentencePieceText.FromString(found) for found in serialized]
    compare_rows(lines, list(map(cut_and_score, nbests)), list(map(cut_and_score, parsed)))
    for return_type in (int, str):
        expected = oracle.nbest_encode(lines, nbest_size=nbest_size, return_type=return_type)
        found = ours.nbest_encode(lines, nbest_size=nbest_size, return_type=return_type)
        compare_rows(lines, expected, found)


def cut_and_score(nbest: Proto) -> list[object]:
    """Scores as text, in which one NaN is like another."""
    fields = ("piece", "id", "surface", "begin", "end")
    return [
        (repr(text.score), [[getattr(piece, field) for field in fields] for piece in text.pieces])
        for text in nbest.nbests
    ]


def compare_decoding(oracle: Processor, ours: Processor, generator: random.Random) -> None:
    """Ids in any order, one by one as well, and pieces, of which some are in no vocabulary."""
    rows = [
        [generator.randrange(len(oracle)) for _ in range(generator.randrange(12))]
        for _ in range(40)
    ]
    compare_rows(rows, oracle.decode(rows, bytes), ours.decode(rows, bytes))
    decoder = ours.streaming_decoder()
    streamed = ["".join(map(decoder.add, row)) + decoder.finish() for row in rows]
    compare_rows(rows, oracle.decode(rows), streamed)
    rows = [[oracle.id_to_piece(id) for id in row] for row in rows if row]
    for row in rows:
        row.insert(generator.randrange(len(row)), generator.choice(FRAGMENTS))
    compare_rows(rows, oracle.decode(rows, bytes), ours.decode(rows, bytes))


def compare_rows(inputs: list[Any], expected: list[Any], found: list[Any]) -> None:
    for given_input, row_expected, row_found in zip(inputs, expected, found, strict=True):
        assert row_found == row_expected, given_input
