"""Segmentations other than the best: in order, and drawn at random.

The best ones are compared with the oracle's; what is drawn, with the shares that an exact
enumeration of all ways to cut a text gives (the oracle's draws differ from run to run).
"""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from spmlite.model_proto import ModelProto, ModelType, Piece, PieceType, SpecialPiece

CountPairs = Callable[[str, int, int], None]
Cut = tuple[str, ...]
Value: TypeAlias = Any
Processor: TypeAlias = Any  # the oracle's or ours

UNIGRAM = 1
LONGEST_LINE = 400
LINES = 400
NBEST_SIZES = (2, 3, 7, 16, 64)

SEED = 20260101
DRAWS = 20_000
SCORES = {
    "a": -1.0,
    "b": -1.5,
    "c": -0.5,
    "d": -1.0,
    "ab": -2.0,
    "bc": -1.2,
    "cd": -2.2,
    "abc": -3.5,
    "bcd": -2.8,
    "abcd": -4.0,
}


def make_model(model_type: ModelType, scores: Mapping[str, float]) -> bytes:
    """A `.model` that takes text as it is."""
    pieces = [Piece("<unk>", 0, PieceType.UNKNOWN)]
    pieces += [Piece(piece, score) for piece, score in scores.items()]
    return ModelProto(
        pieces=pieces,
        model_type=model_type,
        byte_fallback=False,
        unk=SpecialPiece(0, "<unk>"),
        bos=SpecialPiece(-1, "<s>"),
        eos=SpecialPiece(-1, "</s>"),
        pad=SpecialPiece(-1, "<pad>"),
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
    ).serialize()


def load(model_type: ModelType, scores: Mapping[str, float]) -> spmlite.SentencePieceProcessor:
    return spmlite.SentencePieceProcessor(model_proto=make_model(model_type, scores))


def all_cuts(text: str, pieces: Mapping[str, float]) -> Iterator[Cut]:
    if not text:
        yield ()
    for end in range(1, len(text) + 1):
        if text[:end] in pieces:
            yield from ((text[:end], *rest) for rest in all_cuts(text[end:], pieces))


def shares(cuts: Sequence[Cut], alpha: float) -> dict[Cut, float]:
    """The probability of each, in proportion to that of its pieces to the power of alpha."""
    weights = [math.exp(alpha * sum(SCORES[piece] for piece in cut)) for cut in cuts]
    return {cut: weight / sum(weights) for cut, weight in zip(cuts, weights, strict=True)}


def draw(processor: spmlite.SentencePieceProcessor, text: str, **options: Value) -> Counter[Cut]:
    spmlite.set_random_generator_seed(SEED)
    texts = [text] * DRAWS
    drawn = processor.encode(texts, return_type=str, enable_sampling=True, **options)
    return Counter(map(tuple, drawn))


def check_shares(drawn: Counter[Cut], expected: Mapping[Cut, float]) -> None:
    """Pearson's chi-square, not beyond what one draw of 100,000 gives."""
    assert drawn.keys() <= expected.keys()
    expected_counts = {cut: share * DRAWS for cut, share in expected.items()}
    chi_square = sum((drawn[cut] - due) ** 2 / due for cut, due in expected_counts.items())
    assert chi_square < largest_chi_square(len(expected) - 1), (chi_square, drawn)


def largest_chi_square(degrees: int) -> float:
    """Its quantile 0.99999 by Wilson and Hilferty, 1931, whose z is 4.265."""
    ninth = 2 / (9 * degrees)
    return float(degrees * (1 - ninth + 4.265 * math.sqrt(ninth)) ** 3)


@pytest.fixture(scope="module")
def unigram_models(
    model_paths: dict[str, Path],
) -> dict[str, tuple[sentencepiece.SentencePieceProcessor, spmlite.SentencePieceProcessor]]:
    """The oracle and ours, of each model that is Unigram."""
    models = {}
    for name, path in model_paths.items():
        ours = spmlite.SentencePieceProcessor(model_file=path)
        if ours._processor.model_type() == UNIGRAM:
            models[name] = (sentencepiece.SentencePieceProcessor(model_file=str(path)), ours)
    if not models:
        pytest.skip("no Unigram model is there: see the end of the run")
    return models


def some_lines(text_lines: dict[str, list[str]]) -> list[str]:
    """Lines of all texts, evenly spread, of which n-best takes no long time."""
    chosen: list[str] = []
    for lines in text_lines.values():
        short = [line for line in lines if len(line) <= LONGEST_LINE]
        chosen += short[:: max(1, len(short) * len(text_lines) // LINES)]
    return chosen


def scores_of(serialized_nbest: bytes) -> list[float]:
    """The score of each message: the last five bytes, a tag and a float."""
    from sentencepiece import sentencepiece_pb2

    message = sentencepiece_pb2.NBestSentencePieceText()
    message.ParseFromString(serialized_nbest)
    return [struct.unpack("<f", struct.pack("<f", one.score))[0] for one in message.nbests]


def test_the_best_segmentations_are_those_of_the_oracle(
    unigram_models: dict[
        str, tuple[sentencepiece.SentencePieceProcessor, spmlite.SentencePieceProcessor]
    ],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    """Ids, pieces, spans and scores, in order: the oracle's message of them is the same bytes."""
    lines = some_lines(text_lines)
    differences = []
    segmentations = 0
    for name, (oracle, ours) in unigram_models.items():
        for i, line in enumerate(lines):
            size = NBEST_SIZES[i % len(NBEST_SIZES)]
            options: dict[str, Any] = {"nbest_size": size, "return_type": "serialized_proto"}
            expected = oracle.nbest_encode(line, **options)
            found = ours.nbest_encode(line, **options)
            segmentations += len(ours.nbest_encode_as_ids(line, nbest_size=size))
            if found != expected:
                differences.append((name, line, size, scores_of(expected), scores_of(found)))
    compared = len(lines) * len(unigram_models)
    count_pairs(
        f"{len(unigram_models)} models, {segmentations:,} segmentations with scores",
        compared,
        len(differences),
    )
    assert not differences, differences[:3]


def test_messages_are_those_of_the_oracle(
    model_paths: dict[str, Path], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    lines = some_lines(text_lines)
    differences = []
    for name, path in model_paths.items():
        oracle = sentencepiece.SentencePieceProcessor(model_file=str(path))
        ours = spmlite.SentencePieceProcessor(model_file=path)
        expected = oracle.encode(lines, return_type="serialized_proto")
        found = ours.encode(lines, return_type="serialized_proto")
        differences += [
            (name, line) for line, a, b in zip(lines, expected, found, strict=True) if a != b
        ]
    count_pairs(f"{len(model_paths)} models", len(lines) * len(model_paths), len(differences))
    assert not differences, differences[:5]


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.5, 1.0, 3.0])
def test_all_ways_are_drawn_in_proportion_to_their_probability(alpha: float) -> None:
    cuts = list(all_cuts("abcd", SCORES))
    drawn = draw(load(ModelType.UNIGRAM, SCORES), "abcd", alpha=alpha)
    check_shares(drawn, shares(cuts, alpha))


@pytest.mark.parametrize("alpha", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("nbest_size", [2, 3, 5, 512])
def test_the_best_ways_are_drawn_in_proportion_to_their_probability(
    alpha: float, nbest_size: int
) -> None:
    cuts = sorted(all_cuts("abcd", SCORES), key=lambda cut: -sum(map(SCORES.__getitem__, cut)))
    best = cuts[:nbest_size]
    drawn = draw(load(ModelType.UNIGRAM, SCORES), "abcd", alpha=alpha, nbest_size=nbest_size)
    check_shares(drawn, shares(best, alpha))


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_each_merge_of_bpe_is_left_out_with_the_probability_alpha(alpha: float) -> None:
    """One merge is possible in "ab", so it is made or not."""
    processor = load(ModelType.BPE, {"a": -2, "b": -3, "ab": -1})
    drawn = draw(processor, "ab", alpha=alpha)
    check_shares(drawn, {("ab",): 1 - alpha, ("a", "b"): alpha})


def test_dropout_of_0_merges_all_and_of_1_nothing(
    model_paths: dict[str, Path], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    lines = some_lines(text_lines)
    compared = 0
    differences = []
    for name, path in model_paths.items():
        oracle = sentencepiece.SentencePieceProcessor(model_file=str(path))
        ours = spmlite.SentencePieceProcessor(model_file=path)
        if ours._processor.model_type() != int(ModelType.BPE):
            continue
        for alpha in (0.0, 1.0):
            options: dict[str, Any] = {"enable_sampling": True, "alpha": alpha}
            expected = oracle.encode(lines, **options)
            found = ours.encode(lines, **options)
            compared += len(lines)
            differences += [
                (name, alpha, *row)
                for row in zip(lines, expected, found, strict=True)
                if row[1] != row[2]
            ]
        assert ours.encode(lines, enable_sampling=True, alpha=0.0) == ours.encode(lines)
    count_pairs("BPE models, dropout 0 and 1", compared, len(differences))
    assert not differences, differences[:3]


@pytest.mark.parametrize("nbest_size", [0, 1])
def test_of_one_way_nothing_is_drawn(nbest_size: int) -> None:
    processor = load(ModelType.UNIGRAM, SCORES)
    # True would be refused, as in the oracle, since it has no effect.
    drawn = processor._processor.sample("abcd", 0, 0, nbest_size, 0.1)
    assert drawn == processor.encode("abcd")
    with pytest.raises(ValueError, match="nbest_size"):
        processor.encode("abcd", enable_sampling=True, nbest_size=nbest_size)


def test_a_large_alpha_draws_the_best() -> None:
    processor = load(ModelType.UNIGRAM, SCORES)
    assert draw(processor, "abcd", alpha=500.0) == {
        tuple(processor.encode("abcd", return_type=str)): DRAWS
    }


def test_a_seed_draws_the_same_over_any_number_of_threads_and_one_by_one() -> None:
    processor = load(ModelType.UNIGRAM, SCORES)
    texts = ["abcd" * (i % 50) for i in range(20_000)]
    options: dict[str, Any] = {"enable_sampling": True, "alpha": 0.3}

    def batch(threads: int) -> list[list[int]]:
        spmlite.set_random_generator_seed(SEED)
        drawn: list[list[int]] = processor.encode(texts, num_threads=threads, **options)
        return drawn

    first = batch(1)
    assert batch(4) == first
    spmlite.set_random_generator_seed(SEED)
    assert [processor.encode(text, **options) for text in texts] == first
    assert processor.encode(texts, **options) != first


def test_a_seed_draws_the_same_on_every_platform() -> None:
    processor = load(ModelType.UNIGRAM, SCORES)
    spmlite.set_random_generator_seed(1)
    drawn = [
        "".join(map(str, map(len, processor.sample_encode_as_pieces("abcd", alpha=0.2))))
        for _ in range(12)
    ]
    assert " ".join(drawn) == "31 22 211 112 1111 22 22 4 4 4 1111 121"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_draws_its_own_unless_it_has_a_seed() -> None:
    script = (
        "import os, sys, spmlite\n"
        "p = spmlite.SentencePieceProcessor(model_proto=sys.stdin.buffer.read())\n"
        "if sys.argv[1:]: spmlite.set_random_generator_seed(int(sys.argv[1]))\n"
        "child = os.fork()\n"
        "if child: os.waitpid(child, 0)\n"
        "print(p.encode('abcd' * 50, enable_sampling=True, alpha=0.1), flush=True)\n"
    )
    model = make_model(ModelType.UNIGRAM, SCORES)

    def run(*arguments: str) -> set[bytes]:
        command = [sys.executable, "-c", script, *arguments]
        return set(
            subprocess.run(
                command, input=model, capture_output=True, check=True
            ).stdout.splitlines()
        )

    assert len(run()) == 2
    assert len(run("5")) == 1


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "1", None])
def test_a_seed_is_a_number_of_32_bits(seed: Value) -> None:
    with pytest.raises(TypeError):
        spmlite.set_random_generator_seed(seed)
    with pytest.raises(TypeError):
        sentencepiece.set_random_generator_seed(seed)


def test_what_is_drawn_in_every_return_type() -> None:
    processor = load(ModelType.UNIGRAM, SCORES)

    def drawn(return_type: Value) -> Value:
        spmlite.set_random_generator_seed(SEED)
        return processor.encode(
            "abcd" * 9 + "?", return_type=return_type, enable_sampling=True, alpha=0.1
        )

    ids = drawn(int)
    mapping = drawn("offset_mapping")
    assert drawn("numpy").tolist() == ids == mapping["ids"]
    assert drawn(str) == mapping["pieces"] == [piece.decode() for piece in drawn(bytes)]
    assert "".join(drawn(str)) == "abcd" * 9 + "?"
    assert [end - begin for begin, end in mapping["offsets"]] == list(map(len, mapping["pieces"]))


def test_framing_of_what_is_drawn(processor: spmlite.SentencePieceProcessor) -> None:
    options: dict[str, Any] = {"alpha": 0.0, "add_bos": True, "add_eos": True, "reverse": True}
    assert processor.sample_encode_as_ids("Hello world", **options) == [1, 261, 260, 2]
    assert processor.sample_encode_as_pieces(["Hello"], **options) == [["<s>", "▁Hello", "</s>"]]


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": -0.1},
        {"alpha": math.nan},
        {"alpha": math.inf},
        {"alpha": "1"},
        {"nbest_size": 513},
        {"nbest_size": "1"},
        {"nbest_size": 0},
        {"nbest_size": 1},
        {"alpha": 0.0, "nbest_size": 512},
        {"alpha": 0.0, "nbest_size": -7},
    ],
    ids=repr,
)
@pytest.mark.parametrize("model_type", [ModelType.UNIGRAM, ModelType.BPE], ids=str)
def test_wrong_options_raise_what_the_oracle_raises(
    options: dict[str, Any], model_type: ModelType
) -> None:
    def outcome(processor: Processor) -> Value:
        result = []
        for text in ("a", ["a"], []):
            try:
                result.append(processor.encode(text, enable_sampling=True, **options))
            except Exception as error:
                result.append(type(error))
        return result

    model = make_model(model_type, SCORES)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = spmlite.SentencePieceProcessor(model_proto=model)
    assert outcome(ours) == outcome(oracle)


@pytest.mark.parametrize("return_type", [int, str, bytes, "numpy", "offset_mapping", "nothing"])
@pytest.mark.parametrize("nbest_size", [-1, 0, 1, 4, 512, 513, None])
@pytest.mark.parametrize(
    "text", ["abcd", "", "?ab??", b"ab", ["abcd", "ab"], [], 1, None], ids=repr
)
def test_n_best_does_what_the_oracles_does(
    text: Value, nbest_size: Value, return_type: Value
) -> None:
    def outcome(processor: Processor) -> Value:
        try:
            result = processor.nbest_encode(text, nbest_size=nbest_size, return_type=return_type)
        except Exception as error:
            return type(error)
        return repr(result)

    for model_type in (ModelType.UNIGRAM, ModelType.BPE):
        model = make_model(model_type, SCORES)
        oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
        ours = spmlite.SentencePieceProcessor(model_proto=model)
        assert outcome(ours) == outcome(oracle)


def test_models_with_one_way_to_cut_say_so() -> None:
    for model_type in (ModelType.WORD, ModelType.CHAR):
        processor = load(model_type, {"a": -1})
        with pytest.raises(RuntimeError, match="one way"):
            processor.encode("a", enable_sampling=True)
        with pytest.raises(RuntimeError, match="Unigram"):
            processor.nbest_encode("a", nbest_size=2)


def test_sampling_without_a_model() -> None:
    with pytest.raises(RuntimeError, match="no model"):
        spmlite.SentencePieceProcessor().encode("a", enable_sampling=True)
    with pytest.raises(RuntimeError, match="no model"):
        spmlite.SentencePieceProcessor().nbest_encode("a")
    with pytest.raises(RuntimeError, match="no model"):
        spmlite.StreamingDecoder(spmlite.SentencePieceProcessor())
