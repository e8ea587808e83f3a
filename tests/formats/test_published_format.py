"""`.spm.fb` files of the published converter and ours: the same model makes the same table.

`sentencepiece.convert_to_flatbuffer` of sentencepiece 0.2.3 is the published converter. Tries are
compared as the maps that they hold, for two builders place their nodes differently. Where ours
departs on purpose, because the oracle's ids would not come out otherwise, a test says so.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2
from spmlite import _native
from steps import flatbuffers

CountPairs = Callable[[str, int, int], None]
Proto: TypeAlias = Any  # protobuf makes the class when it is imported
Table: TypeAlias = Any  # so does flatc
Vector: TypeAlias = Any  # of a table, as numpy; absent, it is the number 0
Units: TypeAlias = npt.NDArray[np.uint32]
Nodes: TypeAlias = npt.NDArray[np.int64]

SCHEMA = Path(__file__).resolve().parents[2] / "core" / "schema" / "sentencepiece_lite.fbs"
ABSENT = -1
VALUE_UNIT = 1 << 31


# --- Reading a file ---


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The schema's Python reader, made by flatc."""
    folder = tmp_path_factory.mktemp("schema")
    flatc = flatbuffers.find_or_get().flatc
    subprocess.run([flatc, "--python", "--gen-onefile", "-o", folder, SCHEMA], check=True)
    (generated,) = folder.rglob("*.py")
    spec = importlib.util.spec_from_file_location("spmlite_schema", generated)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Read: TypeAlias = Callable[[bytes], Table]


@pytest.fixture(scope="module")
def read(schema: ModuleType) -> Read:
    return lambda blob: schema.ModelProto.GetRootAs(blob)


def published(model: bytes) -> bytes:
    converted = sentencepiece.convert_to_flatbuffer(
        serialized_model_proto=model, allow_unsupported_model_type=True
    )
    assert isinstance(converted, bytes)
    return converted


def values(vector: Vector) -> list[Any] | None:
    """None when the vector is absent."""
    return None if isinstance(vector, int) else vector.tolist()


def pieces(table: Table) -> list[bytes]:
    return [table.Pieces(id) for id in range(table.PiecesLength())]


def normalizer(spec: Table | None) -> dict[str, Any] | None:
    if spec is None:
        return None
    return {
        "name": spec.Name(),
        "precompiled_charsmap": values(spec.PrecompiledCharsmapAsNumpy()),
        "add_dummy_prefix": spec.AddDummyPrefix(),
        "remove_extra_whitespaces": spec.RemoveExtraWhitespaces(),
        "escape_whitespaces": spec.EscapeWhitespaces(),
        "treat_whitespace_as_suffix": spec.TreatWhitespaceAsSuffix(),
    }


def fields(table: Table) -> dict[str, Any]:
    """All that the published schema has, the tries apart."""
    return {
        "pieces": pieces(table),
        "scores": values(table.ScoresAsNumpy()),
        "int_scores": values(table.IntScoresAsNumpy()),
        "types": values(table.TypesAsNumpy()),
        "unk_id": table.UnkId(),
        "unk_surface": table.UnkSurface(),
        "model_type": table.ModelType(),
        "normalizer_spec": normalizer(table.NormalizerSpec()),
        "has_direct_mappings": table.HasDirectMappings(),
        "is_direct_mapping": values(table.IsDirectMappingAsNumpy()),
        "bos_id": table.BosId(),
        "eos_id": table.EosId(),
        "pad_id": table.PadId(),
    }


def differing(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    return {name for name in one if one[name] != other[name]}


# --- Reading a trie: core/src/double_array.h tells the layout of a unit ---


def units_of(blob: Vector) -> Units:
    return np.empty(0, np.uint32) if isinstance(blob, int) else blob.view(np.uint32)


def base(units: Units, nodes: Nodes) -> Nodes:
    unit = units[nodes].astype(np.int64)
    return nodes ^ np.where(unit & 0x200, (unit >> 2) & ~0xFF, unit >> 10)


def walk(units: Units, keys: list[bytes]) -> Nodes:
    """The node that each key leads to from the root, or ABSENT."""
    nodes = np.zeros(len(keys), np.int64)
    lengths = np.array([len(key) for key in keys])
    text = np.frombuffer(b"".join(keys), np.uint8).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    for depth in range(max(lengths, default=0)):
        (going,) = np.nonzero((lengths > depth) & (nodes != ABSENT))
        byte = text[starts[going] + depth]
        child = base(units, nodes[going]) ^ byte
        matches = (units[child] & (VALUE_UNIT | 0xFF)) == byte
        nodes[going] = np.where(matches, child, ABSENT)
    return nodes


def lookup(units: Units, keys: list[bytes]) -> Nodes:
    """The value of each key, or ABSENT."""
    nodes = walk(units, keys)
    found = np.where(nodes != ABSENT, nodes, 0)
    has_value = (nodes != ABSENT) & (units[found] & 0x100 != 0)
    leaves = np.where(has_value, base(units, found), 0)
    return np.where(has_value, units[leaves].astype(np.int64) & (VALUE_UNIT - 1), ABSENT)


def count_keys(units: Units) -> int:
    """Nodes at which a key ends. As many as keys that were found: there are no others."""
    return int(np.count_nonzero((units & (VALUE_UNIT | 0x100)) == 0x100))


def holds(blob: Vector, expected: dict[bytes, int]) -> bool:
    """Whether a trie maps just these keys to these values; no trie is an empty map."""
    units = units_of(blob)
    if not expected or not units.size:
        return not expected and not units.size
    found = lookup(units, list(expected))
    return found.tolist() == list(expected.values()) and count_keys(units) == len(expected)


def characters(piece: bytes) -> list[bytes]:
    """Cut as the published converter cuts: by what the first byte announces."""
    found = []
    while piece:
        length = max(1, (piece[0] >= 0xC0) * (2 + (piece[0] >= 0xE0) + (piece[0] >= 0xF0)))
        found.append(piece[:length])
        piece = piece[length:]
    return found


def pairs(texts: Iterable[bytes]) -> list[bytes]:
    """Every two neighbouring characters."""
    found: set[bytes] = set()
    for text in texts:
        cut = characters(text)
        found.update(first + second for first, second in itertools.pairwise(cut))
    return sorted(found)


def holds_pairs(blob: Vector, expected: list[bytes]) -> bool:
    """Whether a trie maps just these pairs to the node of their second character."""
    units = units_of(blob)
    if not expected or not units.size:
        return not expected and not units.size
    second = walk(units, [pair[len(characters(pair)[0]) :] for pair in expected])
    same = lookup(units, expected) == np.where(second == ABSENT, 0, second)
    return bool(same.all()) and count_keys(units) == len(expected)


# --- The same table ---


class Files(NamedTuple):
    """What two converters make of a model."""

    theirs: bytes
    ours: bytes


@pytest.fixture(scope="module")
def converted(model_paths: dict[str, Path]) -> dict[str, Files]:
    """Every model, converted once."""
    models = {name: path.read_bytes() for name, path in model_paths.items()}
    return {name: Files(published(model), _native.convert(model)) for name, model in models.items()}


def test_the_tables_of_real_models_are_equal(
    converted: dict[str, Files], read: Read, count_pairs: CountPairs
) -> None:
    compared = unequal = 0
    for name, files in converted.items():
        theirs, ours = fields(read(files.theirs)), fields(read(files.ours))
        expected = set()
        if theirs["normalizer_spec"] is None:  # see the test of it below
            expected = {"normalizer_spec"}
        found = differing(theirs, ours)
        compared += len(theirs)
        unequal += len(found ^ expected)
        assert found == expected, name
    count_pairs(f"fields of {len(converted)} models, theirs and ours", compared, unequal)


def test_the_tries_of_real_models_hold_the_same(
    converted: dict[str, Files], read: Read, count_pairs: CountPairs
) -> None:
    keys = 0
    for name, files in converted.items():
        theirs, ours = map(read, files)
        texts = pieces(theirs)
        assert pieces(ours) == texts, name
        ids = {piece: id for id, piece in enumerate(texts)}
        neighbours = pairs(ids)
        for table in (theirs, ours):
            types = table.TypesAsNumpy()
            user_defined = {piece: id for piece, id in ids.items() if types[id] == 4}
            assert holds(table.PiecesTrieBlobAsNumpy(), ids), name
            assert holds(table.PrefixMatcherTrieBlobAsNumpy(), user_defined), name
            assert holds_pairs(table.CharBigramTrieBlobAsNumpy(), neighbours), name
        keys += len(ids) + len(user_defined) + len(neighbours)
    count_pairs(f"keys of the tries of {len(converted)} models", keys, 0)


def test_our_files_are_no_larger_but_for_the_filter(
    converted: dict[str, Files], read: Read
) -> None:
    for name, (theirs, ours) in converted.items():
        filter_bytes = 8 * read(ours).PairFilterLength()
        # Less than two blocks of units more for each of the three tries, and the filter of
        # pairs, which is our own.
        assert 0 < filter_bytes <= 1 << 17
        assert len(ours) < len(theirs) + 3 * 2048 + filter_bytes, name


def test_published_files_give_the_ids_that_ours_give(
    model_paths: dict[str, Path],
    converted: dict[str, Files],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    lines = [line for text in text_lines.values() for line in text[:: 1 + len(text) // 300]]
    compared = unequal = 0
    for name, path in model_paths.items():
        model = parse(path.read_bytes())
        if model.trainer_spec.model_type not in (1, 2):
            continue  # the published runtime reads Unigram and BPE
        if not model.HasField("normalizer_spec"):
            continue  # which the published file cannot say: see the test of it below
        theirs, ours = (
            spmlite.SentencePieceProcessor(model_proto=file) for file in converted[name]
        )
        different = sum(
            a != b for a, b in zip(theirs.encode(lines), ours.encode(lines), strict=True)
        )
        compared += len(lines)
        unequal += different
        assert different == 0, name
    count_pairs("published files and ours, encoded by us", compared, unequal)


# --- Where ours departs, and why ---


def parse(model: bytes) -> Proto:
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model)
    return proto


@pytest.fixture
def proto() -> Proto:
    """A BPE model: <unk>, a, b, ab."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.trainer_spec.model_type = 2
    proto.normalizer_spec.add_dummy_prefix = False
    proto.pieces.add(piece="<unk>", type=2)
    for rank, piece in enumerate(("ab", "a", "b")):
        proto.pieces.add(piece=piece, score=-1 - rank)
    return proto


def add_bytes(proto: Proto, order: Iterable[int]) -> None:
    proto.trainer_spec.byte_fallback = True
    for byte in order:
        proto.pieces.add(piece=f"<0x{byte:02X}>", type=6)


def convert(proto: Proto) -> bytes:
    return _native.convert(proto.SerializeToString())


def test_fractional_scores_are_kept_beside_the_integers(proto: Proto, read: Read) -> None:
    """Cut to integers, -0.7 and -0.2 would be a tie; the oracle merges the larger first."""
    proto.pieces[1].score, proto.pieces[2].score = -0.7, -0.2
    theirs, ours = read(published(proto.SerializeToString())), read(convert(proto))
    assert differing(fields(theirs), fields(ours)) == set()
    assert values(ours.IntScoresAsNumpy()) == [0, 0, 0, -3]
    assert values(ours.FloatScoresAsNumpy()) == pytest.approx([0, -0.7, -0.2, -3])
    assert values(ours.MergeRanksAsNumpy()) == [3, 1, 2, 0]


def test_scores_that_are_no_integers_at_all_are_converted(proto: Proto, read: Read) -> None:
    """The oracle loads a BPE model with any score."""
    proto.pieces[1].score = -math.inf
    with pytest.raises(ValueError, match="invalid BPE score"):
        published(proto.SerializeToString())
    assert values(read(convert(proto)).MergeRanksAsNumpy()) == [3, 0, 2, 1]


def test_the_unknown_id_is_that_of_the_unknown_piece(proto: Proto, read: Read) -> None:
    """The oracle does not look at trainer_spec.unk_id."""
    proto.trainer_spec.unk_id = 3
    theirs, ours = read(published(proto.SerializeToString())), read(convert(proto))
    assert differing(fields(theirs), fields(ours)) == {"unk_id"}
    assert (theirs.UnkId(), ours.UnkId()) == (3, 0)


def test_an_empty_unk_surface_is_written(proto: Proto, read: Read) -> None:
    """Absent, it would be read as the default; the oracle decodes unknowns to nothing."""
    proto.trainer_spec.unk_surface = ""
    theirs, ours = read(published(proto.SerializeToString())), read(convert(proto))
    assert differing(fields(theirs), fields(ours)) == {"unk_surface"}
    assert (theirs.UnkSurface(), ours.UnkSurface()) == (None, b"")


def test_a_missing_normalizer_spec_is_written_as_protobufs_defaults(
    proto: Proto, read: Read
) -> None:
    """The published runtime reads its absence as no normalizing at all, the oracle as defaults."""
    proto.ClearField("normalizer_spec")
    proto.trainer_spec.treat_whitespace_as_suffix = True
    theirs, ours = read(published(proto.SerializeToString())), read(convert(proto))
    assert differing(fields(theirs), fields(ours)) == {"normalizer_spec"}
    assert theirs.NormalizerSpec() is None
    assert normalizer(ours.NormalizerSpec()) == {
        "name": None,
        "precompiled_charsmap": None,
        "add_dummy_prefix": True,
        "remove_extra_whitespaces": True,
        "escape_whitespaces": True,
        "treat_whitespace_as_suffix": True,
    }


def test_a_denormalizer_spec_is_written(
    proto: Proto, read: Read, model_paths: dict[str, Path]
) -> None:
    """The published schema has no place for it; the oracle applies it to decoded text."""
    charsmaps = (parse(path.read_bytes()).normalizer_spec for path in model_paths.values())
    with_rules = next(spec for spec in charsmaps if spec.precompiled_charsmap)
    proto.denormalizer_spec.CopyFrom(with_rules)
    theirs, ours = read(published(proto.SerializeToString())), read(convert(proto))
    assert differing(fields(theirs), fields(ours)) == set()
    assert theirs.DenormalizerSpec() is None
    written = normalizer(ours.DenormalizerSpec())
    assert written is not None
    assert bytes(written["precompiled_charsmap"]) == with_rules.precompiled_charsmap


def test_a_nul_piece_beside_byte_pieces_is_converted(proto: Proto, read: Read) -> None:
    """The oracle takes it for UNUSED."""
    proto.pieces.add(piece="\0")
    add_bytes(proto, range(256))
    with pytest.raises(ValueError, match="null byte"):
        published(proto.SerializeToString())
    table = read(convert(proto))
    assert pieces(table)[4] == b"\0"
    assert table.Types(4) == 5


def test_byte_pieces_may_stand_in_any_order(proto: Proto, read: Read) -> None:
    """The published runtime wants them in a row; the oracle looks each of them up."""
    add_bytes(proto, reversed(range(256)))
    with pytest.raises(RuntimeError, match="preliminary processor"):
        published(proto.SerializeToString())
    assert pieces(read(convert(proto)))[4] == b"<0xFF>"


def test_byte_pieces_without_byte_fallback_are_refused(proto: Proto) -> None:
    """The oracle does not load such a model."""
    add_bytes(proto, range(256))
    proto.trainer_spec.byte_fallback = False
    assert published(proto.SerializeToString())
    with pytest.raises(RuntimeError, match=r"piece 4 \(<0x00>\) is of type BYTE, but trainer_spec"):
        convert(proto)


@pytest.mark.parametrize("model_type", [3, 4], ids=["WORD", "CHAR"])
def test_word_and_char_models_are_converted(proto: Proto, read: Read, model_type: int) -> None:
    """The published converter refuses them unless told to read them as Unigram."""
    proto.trainer_spec.model_type = model_type
    model = proto.SerializeToString()
    with pytest.raises(ValueError, match="Unsupported model type"):
        sentencepiece.convert_to_flatbuffer(serialized_model_proto=model)
    assert differing(fields(read(published(model))), fields(read(convert(proto)))) == set()
