"""GGUF: the vocabulary of a model as llama.cpp has it, or the reason why it is none of ours."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2
from spmlite import cli, gguf, inspecting
from spmlite.model_types import PieceType
from steps.test_data import TestData

CountPairs = Callable[[str, int, int], None]
Metadata: TypeAlias = dict[str, Any]

# Where llama.cpp's tests divide their texts (its tests/test-tokenizer-0.sh).
BETWEEN_TEXTS = "\n__ggml_vocab_test__\n"

# By the name of the file: what its tokenizer is.
OURS = {"llama-spm.gguf": 32_000, "baichuan.gguf": 64_000, "phi-3.gguf": 32_064}


# --- files as they are written elsewhere ---


def path_of(name: str, data: TestData) -> Path:
    if name not in data.foreign:
        pytest.skip(data.missing.get("llama.cpp", f"{name} is not there"))
    return data.foreign[name]


@pytest.mark.parametrize("name", [*OURS, "nomic-bert-moe.gguf"])
def test_the_ids_are_those_of_sentencepiece(
    name: str, data: TestData, text_lines: dict[str, list[str]], count_pairs: CountPairs
) -> None:
    path = path_of(name, data)
    ours = spmlite.SentencePieceProcessor(model_file=path)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=ours.serialized_model_proto())
    assert len(ours) == OURS.get(name, 250_048)
    lines = [line for lines in text_lines.values() for line in lines[:: len(lines) // 200 + 1]]
    expected, found = oracle.encode(lines), ours.encode(lines)
    differing = sum(one != other for one, other in zip(expected, found, strict=True))
    count_pairs(f"ids of {name}", len(lines), differing)
    assert differing == 0


@pytest.mark.parametrize("name", ["llama-spm.gguf", "phi-3.gguf"])
def test_the_ids_are_those_of_llama_cpps_own_tests(
    name: str, data: TestData, count_pairs: CountPairs
) -> None:
    path = path_of(name, data)
    texts = path.with_suffix(".gguf.inp").read_text("utf-8").split(BETWEEN_TEXTS)
    rows = path.with_suffix(".gguf.out").read_text("utf-8").split("\n")
    expected = [[int(id) for id in row.split()] for row in rows[: len(texts)]]
    found = spmlite.SentencePieceProcessor(model_file=path).encode(texts)
    differing = sum(one != other for one, other in zip(expected, found, strict=True))
    count_pairs(f"ids of {name}", len(texts), differing)
    assert differing == 0


@pytest.mark.parametrize(
    ("name", "model"),
    [("llama-spm.gguf", "shared/llama2"), ("nomic-bert-moe.gguf", "shared/xlmr_nomic_gguf")],
)
def test_pieces_scores_and_types_are_those_of_the_model(
    name: str, model: str, data: TestData, count_pairs: CountPairs
) -> None:
    if model not in data.models:
        pytest.skip(f"../{model}.model is not there")
    ours = spmlite.SentencePieceProcessor(model_file=path_of(name, data))
    theirs = spmlite.SentencePieceProcessor(model_file=data.models[model])
    ids = list(range(len(theirs)))
    for method in ("id_to_piece", "get_score", "is_control", "is_unused", "is_byte", "is_unknown"):
        pairs = zip(getattr(ours, method)(ids), getattr(theirs, method)(ids), strict=True)
        differing = sum(one != other for one, other in pairs)
        count_pairs(f"{method} of {name}", len(ids), differing)
        assert differing == 0
    for role in ("unk_id", "bos_id", "eos_id"):
        assert getattr(ours, role)() == getattr(theirs, role)()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gpt-2.gguf", 'tokenizer.ggml.model is "gpt2" (byte-level BPE'),
        ("llama-bpe.gguf", 'tokenizer.ggml.model is "gpt2" (byte-level BPE'),
        ("bert-bge.gguf", 'tokenizer.ggml.model is "bert" (WordPiece'),
        ("gemma-4.gguf", "convert its tokenizer.json instead"),
    ],
)
def test_other_kinds_of_tokenizers_are_refused(name: str, reason: str, data: TestData) -> None:
    with pytest.raises(RuntimeError) as error:
        spmlite.SentencePieceProcessor(model_file=path_of(name, data))
    assert reason in str(error.value)


def test_it_tells_which_ids_go_around_a_text(data: TestData) -> None:
    tokenizer = gguf.read_tokenizer(path_of("nomic-bert-moe.gguf", data).read_bytes())
    assert (tokenizer.add_bos, tokenizer.add_eos) == (True, True)


# --- files of this test's own ---

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


@pytest.fixture
def metadata() -> Metadata:
    """Of a model that knows <unk>, <s>, </s>, the bytes, a, b, ab and the user-defined "x y"."""
    normal = ["▁", "a", "b", "ab"]
    return {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>", *BYTES, *normal, "x y"],
        "tokenizer.ggml.scores": [0.0] * 259 + [-1.0, -2.0, -3.0, -0.5] + [0.0],
        "tokenizer.ggml.token_type": [2, 3, 3, *[6] * 256, *[1] * 4, 4],
    }


def serialize(metadata: Metadata, version: int = 3) -> bytes:
    parts = [b"GGUF", struct.pack("<IQQ", version, 0, len(metadata))]
    for key, value in metadata.items():
        parts += [text(key), struct.pack("<I", type_of(value)), payload(value)]
    return b"".join(parts) + b"tensors"


def text(value: str) -> bytes:
    content = value.encode()
    return struct.pack("<Q", len(content)) + content


def type_of(value: object) -> int:
    return {bool: 7, int: 5, float: 6, str: 8, list: 9, bytes: 9}[type(value)]


def payload(value: Any) -> bytes:  # noqa: ANN401 - of any type that the format has
    match value:
        case bool():
            return struct.pack("<?", value)
        case int():
            return struct.pack("<i", value)
        case float():
            return struct.pack("<f", value)
        case str():
            return text(value)
        case bytes():
            return struct.pack("<IQ", 0, len(value)) + value
    type = type_of(value[0])
    return struct.pack("<IQ", type, len(value)) + b"".join(map(payload, value))


def load(metadata: Metadata) -> spmlite.SentencePieceProcessor:
    return spmlite.SentencePieceProcessor(model_proto=serialize(metadata))


def test_user_defined_pieces_may_spell_spaces_out(metadata: Metadata) -> None:
    assert load(metadata).encode("abx yb", return_type=str) == ["▁", "ab", "x▁y", "b"]


@pytest.mark.parametrize("prefix", [True, False])
def test_the_space_in_front(metadata: Metadata, prefix: bool) -> None:
    metadata["tokenizer.ggml.add_space_prefix"] = prefix
    assert load(metadata).encode("a", return_type=str) == (["▁", "a"] if prefix else ["a"])


def test_extra_spaces_may_go(metadata: Metadata) -> None:
    metadata["tokenizer.ggml.remove_extra_whitespaces"] = True
    assert load(metadata).encode(" a  b ", return_type=str) == ["▁", "a", "▁", "b"]


def test_a_unigram_model_may_have_a_charsmap(metadata: Metadata) -> None:
    metadata["tokenizer.ggml.model"] = "t5"
    metadata["tokenizer.ggml.unknown_token_id"] = 0
    metadata["tokenizer.ggml.precompiled_charsmap"] = charsmap(("A", "a"))
    assert load(metadata).encode("Ab", return_type=str) == ["ab"]


def charsmap(*rules: tuple[str, str]) -> bytes:
    proto = sentencepiece_model_pb2.NormalizerSpec()
    normalizer = spmlite.SentencePieceNormalizer(norm_map=rules)
    proto.ParseFromString(normalizer.serialized_normalizer_spec())
    found: bytes = proto.precompiled_charsmap
    return found


def test_special_ids_are_by_role(metadata: Metadata) -> None:
    metadata["tokenizer.ggml.padding_token_id"] = 2
    processor = load(metadata)
    found = (processor.unk_id(), processor.bos_id(), processor.eos_id(), processor.pad_id())
    assert found == (0, 1, 2, 2)


def test_further_tokens_of_the_unknown_type_are_not_used(metadata: Metadata) -> None:
    types = metadata["tokenizer.ggml.token_type"]
    types[-1] = int(PieceType.UNKNOWN)
    processor = load(metadata)
    assert processor.is_unused(len(processor) - 1)


def test_only_the_front_of_a_file_is_read(
    metadata: Metadata, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "large.gguf"
    path.write_bytes(serialize(metadata))
    with path.open("r+b") as file:
        file.truncate(1 << 32)  # four gigabytes that take no room
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            assert len(gguf.read_tokenizer(content).model.pieces) == 264
    assert len(spmlite.SentencePieceProcessor(model_file=path)) == 264
    assert cli.main(["convert", str(path), str(tmp_path / "small.spm.fb")]) == 0
    assert capsys.readouterr().err.endswith(" bytes, from 4,294,967,296\n")
    assert len(spmlite.SentencePieceProcessor(tmp_path / "small.spm.fb")) == 264
    facts = inspecting.facts(path)
    assert (facts["kind"], facts["bytes"], facts["pieces"]) == ("GGUF", 1 << 32, 264)


@pytest.mark.parametrize("value", [None, True, False])
def test_inspect_tells_which_ids_go_around_a_text(
    metadata: Metadata, tmp_path: Path, value: bool | None
) -> None:
    if value is not None:
        metadata["tokenizer.ggml.add_bos_token"] = value
    path = tmp_path / "a.gguf"
    path.write_bytes(serialize(metadata))
    facts = inspecting.facts(path)
    assert (facts["add_bos"], facts["add_eos"]) == (value, None)


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"tokenizer.ggml.model": None}, "there is no tokenizer.ggml.model: the file holds no"),
    ({"tokenizer.ggml.model": "kimi"}, 'tokenizer.ggml.model is "kimi"; only "llama" and "t5"'),
    ({"tokenizer.ggml.tokens": None}, "there is no tokenizer.ggml.tokens"),
    ({"tokenizer.ggml.tokens": "abc"}, "tokenizer.ggml.tokens is no array of str"),
    ({"tokenizer.ggml.scores": [1]}, "tokenizer.ggml.scores is no array of float"),
    ({"tokenizer.ggml.scores": [1.0]}, "differ in length: 264, 1 and 264"),
    ({"tokenizer.ggml.token_type": [9]}, "tokenizer.ggml.token_type holds 9, which is no type"),
    (
        {"tokenizer.ggml.scores": [-1000.0] * 264},
        "all tokenizer.ggml.scores are -1000: the order of merges was lost",
    ),
    ({"tokenizer.ggml.add_space_prefix": 1}, "add_space_prefix is neither true nor false"),
    ({"tokenizer.ggml.bos_token_id": "<s>"}, "tokenizer.ggml.bos_token_id is no number"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_is_no_tokenizer_of_ours(
    metadata: Metadata, change: dict[str, object], reason: str
) -> None:
    changed = {key: value for key, value in (metadata | change).items() if value is not None}
    with pytest.raises(ValueError, match=r"^GGUF: ") as error:
        gguf.to_model_proto(serialize(changed))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"GGML", 'does not begin with "GGUF"'),
        (b"GGUF", "the file is cut off: it has 4 bytes"),
        (b"GGUF" + struct.pack("<I", 1), "has version 1; versions 2 and 3 can be read"),
        (b"GGUF" + struct.pack(">I", 3), "has numbers of the other byte order"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1), "the file is cut off"),
        (b"GGUF" + struct.pack("<IQQQIQ", 3, 0, 1, 0, 9, 4), "the file is cut off"),
        (b"GGUF" + struct.pack("<IQQQI", 3, 0, 1, 0, 99), "there is no type of values 99, at byte"),
        (b"GGUF" + struct.pack("<IQQQB", 3, 0, 1, 1, 255), "before byte 33 is not UTF-8"),
        (
            b"GGUF" + struct.pack("<IQQQI", 3, 0, 1, 0, 9) + struct.pack("<IQ", 9, 1) * 5000,
            "more than 16 arrays are in one another, at byte 228",
        ),
    ],
    ids=repr,
)
def test_what_is_no_gguf(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=r"^GGUF: ") as error:
        gguf.to_model_proto(content)
    assert reason in str(error.value)
