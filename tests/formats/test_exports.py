"""The way back: what `sentencepiece` and Hugging Face's `tokenizers` make of our files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2
from spmlite import _native
from spmlite.exporting import to_tokenizer_json
from spmlite.tokenizer_json import to_model_proto

CountPairs = Callable[[str, int, int], None]
EncodeThere = Callable[[bytes, list[str]], list[list[int]]]
Proto: TypeAlias = Any  # protobuf makes the class when it is imported

LINES_A_SOURCE = 60

# Of each kind that there is; each takes seconds.
EXPORTED = (
    "gemma3",
    "mistral_v3",
    "trained_bpe",
    "botchan_en_bpe_1000",
    "botchan_en_unigram_1000",
    "trained_unigram_plain",
    "shared/xlmr_nomic_gguf",
    "shared/t5_base",
    "shared/llmjp_v3.0b1_100k",
)

# Models that tokenizers cannot have, and why.
REFUSED = {
    "trained_word": "trainer_spec.model_type is WORD",
    "trained_char": "trainer_spec.model_type is CHAR",
    "trained_bpe_suffix": "trainer_spec.treat_whitespace_as_suffix is true",
    "trained_unigram_suffix": "trainer_spec.treat_whitespace_as_suffix is true",
    "trained_unigram": "the user-defined piece '…' holds '…'",
    "trained_unigram_nmt_nfkc_uds": "the user-defined piece '①' holds '①'",
}

# Lines in a thousand whose ids may differ, and why they do.
#
# tokenizers applies a charsmap to a cluster of characters or else to each of its characters, so
# that a rule of several characters is missed in a larger cluster (Bengali, Hangul in Jamo).
# It adds up the scores of Unigram in float64, so that paths that are equal in float32 are not.
MOST_DIFFERENT_IN_1000 = {"charsmap": 5, "unigram": 5}


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


# --- .model to tokenizer.json ---


@pytest.fixture(scope="module")
def exported(model_paths: dict[str, Path]) -> dict[str, bytes]:
    """A tokenizer.json of each model that is there."""
    return {
        name: to_tokenizer_json(model_paths[name].read_bytes())
        for name in EXPORTED
        if name in model_paths
    }


def test_hugging_face_has_the_same_ids(
    encode_there: EncodeThere,
    exported: dict[str, bytes],
    model_paths: dict[str, Path],
    texts: list[str],
    count_pairs: CountPairs,
) -> None:
    for name, tokenizer_json in exported.items():
        model = model_paths[name].read_bytes()
        found = encode_there(tokenizer_json, texts)
        expected = sentencepiece.SentencePieceProcessor(model_proto=model).encode(texts)
        differing = count_different(expected, found)
        count_pairs(f"ids of {name} in tokenizers", len(texts), differing)
        assert differing <= most_different(parse(model), len(texts)), name


def most_different(proto: Proto, lines: int) -> int:
    most = MOST_DIFFERENT_IN_1000
    allowed = most["charsmap"] if proto.normalizer_spec.precompiled_charsmap else 0
    if proto.trainer_spec.model_type == proto.trainer_spec.UNIGRAM:
        allowed += most["unigram"]
    return -(-allowed * lines // 1000)


def test_what_hugging_face_cannot_have_is_refused(model_paths: dict[str, Path]) -> None:
    seen = 0
    for name, path in model_paths.items():
        if reason := REFUSED.get(name.removeprefix("shared/")):
            with pytest.raises(ValueError, match=r"^tokenizer\.json cannot say") as error:
                to_tokenizer_json(path.read_bytes())
            assert reason in str(error.value)
            seen += 1
    if not seen:
        pytest.skip("none of these models is there")


def test_a_tokenizer_json_comes_back(
    exported: dict[str, bytes],
    model_paths: dict[str, Path],
    lines: list[str],
    count_pairs: CountPairs,
) -> None:
    """Our own reader takes what we write, and has the same ids."""
    for name, tokenizer_json in exported.items():
        back = to_model_proto(tokenizer_json)
        expected = spmlite.SentencePieceProcessor(model_file=model_paths[name]).encode(lines)
        found = spmlite.SentencePieceProcessor(model_proto=back).encode(lines)
        differing = count_different(expected, found)
        count_pairs(f"ids of {name} that came back", len(lines), differing)
        assert differing == 0, name


def small(**specs: dict[str, Any]) -> Proto:
    """A model of <unk>, the letters a and b, ab, and ▁."""
    proto = parse(b"")
    proto.trainer_spec.model_type = proto.trainer_spec.BPE
    for text, score, type in (
        ("<unk>", 0, 2),
        ("<s>", 0, 3),
        ("ab", -1, 1),
        ("a", -2, 1),
        ("b", -3, 1),
        ("▁", -4, 1),
    ):
        proto.pieces.add(piece=text, score=score, type=type)
    for spec, fields in specs.items():
        for field, value in fields.items():
            setattr(getattr(proto, spec), field, value)
    return proto


SPACES = ["a  b ", " a", "   ", "▁a ▁b", "a b▁", "ab", "", "x a", "ba xx b"]


@pytest.mark.parametrize("prefix", [True, False])
@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize("model_type", [1, 2])
def test_spaces_are_as_in_sentencepiece(
    encode_there: EncodeThere,
    prefix: bool,
    remove: bool,
    model_type: int,
) -> None:
    flags = {"add_dummy_prefix": prefix, "remove_extra_whitespaces": remove}
    proto = small(normalizer_spec=flags, trainer_spec={"model_type": model_type})
    model = proto.SerializeToString()
    expected = sentencepiece.SentencePieceProcessor(model_proto=model).encode(SPACES)
    assert encode_there(to_tokenizer_json(model), SPACES) == expected


def with_user_defined(texts: list[str], prefix: bool, model_type: int) -> bytes:
    flags = {"add_dummy_prefix": prefix, "remove_extra_whitespaces": False}
    proto = small(normalizer_spec=flags, trainer_spec={"model_type": model_type})
    for text in texts:
        proto.pieces.add(piece=text, type=4)
    model: bytes = proto.SerializeToString()
    return model


@pytest.mark.parametrize("prefix", [True, False])
@pytest.mark.parametrize("model_type", [1, 2])
def test_user_defined_pieces_stay_whole(
    encode_there: EncodeThere,
    prefix: bool,
    model_type: int,
) -> None:
    model = with_user_defined(["ba", "a.b|(", "▁▁", "\n", "▁a▁"], prefix, model_type)
    texts = [*SPACES, "abab", "baba.b|(ab", "a\nb\n\n", " a a a ", "ba", "aab    b"]
    expected = sentencepiece.SentencePieceProcessor(model_proto=model).encode(texts)
    assert encode_there(to_tokenizer_json(model), texts) == expected


@pytest.mark.parametrize("prefix", [True, False])
@pytest.mark.parametrize("model_type", [1, 2])
def test_pieces_with_spaces_match_no_text(
    encode_there: EncodeThere, prefix: bool, model_type: int
) -> None:
    """Where SentencePiece looks for them a space is "▁"; "  " is as the trainer was given it."""
    model = with_user_defined([" ", "  ", "   ", "a b", "ba"], prefix, model_type)
    texts = [*SPACES, "a     b", "'  ab'", "aba bab"]
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    tokenizer_json = to_tokenizer_json(model)
    assert encode_there(tokenizer_json, texts) == oracle.encode(texts)
    back = sentencepiece.SentencePieceProcessor(model_proto=to_model_proto(tokenizer_json))
    assert back.encode(texts) == oracle.encode(texts)


def test_spaces_that_a_user_defined_piece_keeps_are_refused() -> None:
    """A run of spaces becomes one space, but as many as the longest such piece where one is."""
    proto = small(normalizer_spec={"remove_extra_whitespaces": True})
    proto.pieces.add(piece="  ", type=4)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
    assert oracle.encode("a   b", out_type=str) == ["▁", "a", "▁", "▁", "b"]
    with pytest.raises(ValueError, match="the user-defined piece '  ' keeps spaces"):
        to_tokenizer_json(proto.SerializeToString())


def test_the_unknown_piece_is_no_text(encode_there: EncodeThere) -> None:
    proto = small()
    for text in "<unk>":
        proto.pieces.add(piece=text, score=-9, type=1)
    model = proto.SerializeToString()
    texts = ["a<unk>b", "<unk>"]
    expected = sentencepiece.SentencePieceProcessor(model_proto=model).encode(texts)
    assert encode_there(to_tokenizer_json(model), texts) == expected


@pytest.mark.parametrize("surface", [" \u2047 ", "?", ""])
@pytest.mark.parametrize("model_type", [1, 2])
def test_what_is_unknown_is_decoded_as_in_sentencepiece(
    tokenizers: Any,  # noqa: ANN401
    model_type: int,
    surface: str,
) -> None:
    proto = small(trainer_spec={"model_type": model_type, "unk_surface": surface})
    model = proto.SerializeToString()
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    theirs = tokenizers.Tokenizer.from_str(to_tokenizer_json(model).decode())
    for text in ("ab 水火 b", "水", "a x"):
        ids = oracle.encode(text)
        assert theirs.decode(ids) == oracle.decode(ids)


def test_texts_come_back_there(tokenizers: Any, exported: dict[str, bytes]) -> None:  # noqa: ANN401
    for name in ("mistral_v3", "trained_bpe"):
        if name not in exported:
            pytest.skip(f"the model {name} is not there: see the end of the run")
        theirs = tokenizers.Tokenizer.from_str(exported[name].decode())
        for text in ("Hello world", "naïve 🦙 你好", "a  b"):
            assert theirs.decode(theirs.encode(text).ids) == text


def test_pieces_that_are_not_used_get_other_names() -> None:
    proto = small()
    proto.pieces.add(piece="zz", type=5)
    exported = json.loads(to_tokenizer_json(proto.SerializeToString()))
    assert exported["model"]["vocab"]["zz (unused)"] == 6


REFUSED_PIECES: list[tuple[dict[str, dict[str, Any]], tuple[str, int], str]] = [
    ({}, ("aab", 5), "the piece 'aab', which is UNUSED, is joined from 'a' and 'ab'"),
    ({}, ("xa", 1), "the piece 'xa' holds 'x', which alone is no piece"),
    ({"normalizer_spec": {"escape_whitespaces": False}}, ("c", 1), "escape_whitespaces is false"),
]


@pytest.mark.parametrize(("specs", "piece", "reason"), REFUSED_PIECES, ids=repr)
def test_what_cannot_be_joined_there_is_refused(
    specs: dict[str, dict[str, Any]], piece: tuple[str, int], reason: str
) -> None:
    proto = small(**specs)
    proto.pieces.add(piece=piece[0], type=piece[1])
    with pytest.raises(ValueError, match="cannot say this") as error:
        to_tokenizer_json(proto.SerializeToString())
    assert reason in str(error.value)
