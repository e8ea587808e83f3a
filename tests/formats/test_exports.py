"""The way back: what `sentencepiece` and Hugging Face's `tokenizers` make of our files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2
from spmlite import _native

CountPairs = Callable[[str, int, int], None]
Proto: TypeAlias = Any  # protobuf makes the class when it is imported

# What of a model is not for the tokenizer: `.spm.fb` does not hold it.
LINES_A_SOURCE = 60


def parse(model: bytes) -> Proto:
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model)
    return proto


@pytest.fixture(scope="module")
def lines(text_lines: dict[str, list[str]]) -> list[str]:
    """Some of each source."""
    return [
        line
        for source in text_lines.values()
        for line in random.Random(1).sample(source, min(len(source), LINES_A_SOURCE))
    ]


def count_different(expected: Iterable[object], found: Iterable[object]) -> int:
    return sum(one != other for one, other in zip(expected, found, strict=True))


# --- .spm.fb to .model ---


def test_a_model_comes_back_from_a_flatbuffer(
    model_paths: dict[str, Path],
    spm_fb_paths: dict[str, Path],
    lines: list[str],
    count_pairs: CountPairs,
) -> None:
    """`sentencepiece` loads it, and has the same ids, texts, pieces, scores and special ids."""
    for name, path in model_paths.items():
        expected = sentencepiece.SentencePieceProcessor(model_file=str(path))
        back = spmlite.SentencePieceProcessor(spm_fb_paths[name]).serialized_model_proto()
        found = sentencepiece.SentencePieceProcessor(model_proto=back)
        ids = list(range(len(expected)))
        assert len(found) == len(ids)
        for method in ("id_to_piece", "get_score", "is_control", "is_unused", "is_byte"):
            one, other = getattr(expected, method)(ids), getattr(found, method)(ids)
            assert count_different(one, other) == 0, (name, method)
        for role in ("unk_id", "bos_id", "eos_id", "pad_id"):
            assert getattr(found, role)() == getattr(expected, role)(), (name, role)
        rows = expected.encode(lines)
        differing = count_different(rows, found.encode(lines))
        differing += count_different(expected.decode(rows), found.decode(rows))
        count_pairs(f"ids and texts of {name}", 2 * len(lines), differing)
        assert differing == 0, name


def test_what_a_flatbuffer_holds_comes_back_whole(
    model_paths: dict[str, Path], spm_fb_paths: dict[str, Path]
) -> None:
    for name, path in model_paths.items():
        expected, found = (
            parse(path.read_bytes()),
            parse(_native.convert_back(spm_fb_paths[name].read_bytes())),
        )
        for spec in ("normalizer_spec", "denormalizer_spec"):
            for field in (
                "precompiled_charsmap",
                "add_dummy_prefix",
                "remove_extra_whitespaces",
                "escape_whitespaces",
            ):
                one, other = (getattr(getattr(proto, spec), field) for proto in (expected, found))
                assert one == other, (name, spec, field)
        for field in ("model_type", "byte_fallback", "treat_whitespace_as_suffix", "unk_surface"):
            one, other = (getattr(proto.trainer_spec, field) for proto in (expected, found))
            assert one == other, (name, field)
        assert [piece.type for piece in found.pieces] == [piece.type for piece in expected.pieces]


def test_there_and_back_is_the_same_flatbuffer(spm_fb_paths: dict[str, Path]) -> None:
    for name, path in spm_fb_paths.items():
        blob = path.read_bytes()
        assert _native.convert(_native.convert_back(blob)) == blob, name


@pytest.mark.parametrize(
    ("change", "roles"),
    [
        ({}, (0, 1, 2, -1)),
        ({"bos_piece": "a"}, (0, -1, 2, -1)),
        ({"eos_piece": "<nothing>"}, (0, 1, -1, -1)),
        ({"unk_piece": "a"}, (-1, 1, 2, -1)),
        ({"pad_piece": "</s>"}, (0, 1, 2, 2)),
    ],
    ids=repr,
)
def test_roles_that_no_piece_plays(change: dict[str, str], roles: tuple[int, ...]) -> None:
    proto = parse(b"")
    for text, type in (("<unk>", 2), ("<s>", 3), ("</s>", 3), ("a", 1), ("▁", 1)):
        proto.pieces.add(piece=text, type=type)
    for field, value in change.items():
        setattr(proto.trainer_spec, field, value)
    blob = _native.convert(proto.SerializeToString())
    back = _native.convert_back(blob)
    for processor in (
        spmlite.SentencePieceProcessor(model_proto=back),
        sentencepiece.SentencePieceProcessor(model_proto=back),
    ):
        found = (processor.unk_id(), processor.bos_id(), processor.eos_id(), processor.pad_id())
        assert found == roles


def test_what_is_damaged_does_not_come_back() -> None:
    with pytest.raises(RuntimeError):
        _native.convert_back(b"no flatbuffer")
