"""Other ways to the same tokens: over threads, out of a pickle, decoded with what each gave."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import sentencepiece
import spmlite

CountPairs = Callable[[str, int, int], None]

SEQUENCES_PER_MODEL = 200
STRANGE_PIECES = ("x?", "🦙", "▁zzqq", "")


def random_rows(vocab_size: int, random_source: random.Random) -> list[list[int]]:
    """Ids, of which half are of the beginning: special ones and bytes."""
    ends = (vocab_size, min(300, vocab_size))
    return [
        [random_source.randrange(random_source.choice(ends)) for _ in range(length)]
        for length in random_source.choices(range(14), k=SEQUENCES_PER_MODEL)
    ]


@pytest.mark.parametrize("return_type", ["offset_mapping", "serialized_proto"])
def test_what_each_token_gave_is_what_the_oracle_tells(
    return_type: str, model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    random_source = random.Random(9)
    compared = 0
    differences = []
    for name, path in model_paths.items():
        oracle = sentencepiece.SentencePieceProcessor(model_file=str(path))
        ours = spmlite.SentencePieceProcessor(model_file=path)
        ids = random_rows(len(ours), random_source)
        pieces = [[*oracle.id_to_piece(row), random_source.choice(STRANGE_PIECES)] for row in ids]
        for rows in (ids, pieces):
            expected = oracle.decode(rows, return_type=return_type)
            found = ours.decode(rows, return_type=return_type)  # type: ignore[arg-type]
            compared += len(rows)
            differences += [
                (name, row) for row, a, b in zip(rows, expected, found, strict=True) if a != b
            ]
    count_pairs(f"{len(model_paths)} models, {return_type}", compared, len(differences))
    assert not differences, differences[:3]


def test_over_threads_a_text_has_the_same_tokens(
    model_paths: dict[str, Path], text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    """Texts of many lines, in chunks of several sizes."""
    texts = ["\n".join(lines[:300]) for lines in text_lines.values()]
    compared = 0
    for name, path in model_paths.items():
        processor = spmlite.SentencePieceProcessor(model_file=path)
        for text in texts:
            for chunk_len in (1, 100, 10_000_000):
                pieces = processor.parallel_encode(
                    text, chunk_len=chunk_len, num_threads=3, return_type=str
                )
                assert pieces == processor.encode(text, return_type=str), name
                compared += 1
    count_pairs(f"{len(model_paths)} models, texts in chunks", compared, 0)


@pytest.mark.parametrize("chunk_len", [None, 0, -1, 1.0, "1"])
def test_a_chunk_has_a_size(processor: spmlite.SentencePieceProcessor, chunk_len: int) -> None:
    with pytest.raises(ValueError, match="chunk_len"):
        processor.parallel_encode("Hello", chunk_len=chunk_len)


@pytest.mark.parametrize("convert", [False, True], ids=[".model", ".spm.fb"])
def test_a_pickle_holds_the_model_and_the_options(
    model_path: Path, tmp_path: Path, convert: bool
) -> None:
    path = model_path
    if convert:
        from spmlite import _native

        path = tmp_path / "tiny.spm.fb"
        path.write_bytes(_native.convert(model_path.read_bytes()))
    processor = spmlite.SentencePieceProcessor(model_file=path, return_type=str, add_bos=True)
    expected = ["<s>", "▁Hello"]
    assert pickle.loads(pickle.dumps(processor)).encode("Hello") == expected
    assert copy.deepcopy(processor).encode("Hello") == expected


def test_a_pickle_without_a_model() -> None:
    processor = pickle.loads(pickle.dumps(spmlite.SentencePieceProcessor(add_bos=True)))
    assert len(processor) == 0
    with pytest.raises(RuntimeError, match="no model"):
        processor.encode("a")
