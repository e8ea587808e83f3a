"""tokenizer.json: the same model comes out that went in, or the reason why not."""

from __future__ import annotations

import base64
import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sentencepiece
import spmlite
from sentencepiece import sentencepiece_model_pb2
from spmlite import cli, model_file
from spmlite.tokenizer_json import to_model_proto
from steps.test_data import TestData

CountPairs = Callable[[str, int, int], None]
EncodeThere = Callable[[bytes, list[str]], list[list[int]]]
Json = dict[str, Any]
Proto: TypeAlias = Any  # protobuf makes the class when it is imported

GEMMA_PIECES = 262_144
GEMMA_USER_DEFINED = 6_410


def parse(model: bytes) -> Proto:
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model)
    return proto


@pytest.fixture(scope="module")
def gemma(gemma_tokenizer_json: Path, model_paths: dict[str, Path]) -> bytes:
    """Converted by model_paths."""
    return model_paths["gemma3"].read_bytes()


def test_gemma_3_is_the_model_that_was_rebuilt_by_hand(
    gemma: bytes, data: TestData, count_pairs: CountPairs
) -> None:
    if "shared/gemma3_rebuilt" not in data.models:
        pytest.skip("../shared/models/gemma3_rebuilt.model is not there")
    expected = parse(data.models["shared/gemma3_rebuilt"].read_bytes())
    found = parse(gemma)
    pieces = [
        [(piece.piece, piece.score, piece.type) for piece in proto.pieces]
        for proto in (expected, found)
    ]
    differing = sum(one != other for one, other in zip(*pieces, strict=True))
    count_pairs("pieces, scores and types of Gemma 3", len(found.pieces), differing)
    assert differing == 0
    assert found == expected


def test_gemma_3_has_all_its_pieces(gemma: bytes) -> None:
    found = parse(gemma)
    types = [piece.type for piece in found.pieces]
    assert len(found.pieces) == GEMMA_PIECES
    assert types.count(4) == GEMMA_USER_DEFINED
    assert types.count(6) == 256
    assert not found.normalizer_spec.add_dummy_prefix


def test_a_tokenizer_json_loads_like_a_model(gemma: bytes, gemma_tokenizer_json: Path) -> None:
    with pytest.warns(UserWarning, match="<image_soft_token>"):
        ours = spmlite.SentencePieceProcessor(model_file=gemma_tokenizer_json)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=gemma)
    for text in ("a  b and    c", "x\n\n\ny", "<start_of_turn>user", "naïve 🦙 你好", " \t "):
        assert ours.encode(text) == oracle.encode(text)


def as_tokenizer_json(model: bytes) -> Json:
    """What Hugging Face makes of a SentencePiece model of the kind of Llama 2."""
    proto = parse(model)
    vocab = {piece.piece: id for id, piece in enumerate(proto.pieces)}
    ranked = sorted(
        (piece for piece in proto.pieces if piece.type == 1), key=lambda piece: -piece.score
    )
    merges = [
        [piece.piece[:end], piece.piece[end:]]
        for piece in ranked
        for end in range(1, len(piece.piece))
        if piece.piece[:end] in vocab and piece.piece[end:] in vocab
    ]
    added = [
        {"id": id, "content": piece.piece, "special": piece.type != 4}
        for id, piece in enumerate(proto.pieces)
        if piece.type in (2, 3, 4)
    ]
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    prepend = {"type": "Prepend", "prepend": "▁"}
    steps = [prepend, replace] if proto.normalizer_spec.add_dummy_prefix else [replace]
    return {
        "version": "1.0",
        "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": steps},
        "pre_tokenizer": None,
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "byte_fallback": True,
            "fuse_unk": True,
            "ignore_merges": False,
            "vocab": vocab,
            "merges": merges,
        },
    }


@pytest.mark.parametrize("name", ["mistral_v1", "mistral_v7", "shared/llama2"])
def test_a_model_survives_the_way_there_and_back(
    name: str,
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    if name not in model_paths:
        pytest.skip(f"the model {name} is not there: see the end of the run")
    model = model_paths[name].read_bytes()
    converted = to_model_proto(json.dumps(as_tokenizer_json(model)))
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = spmlite.SentencePieceProcessor(model_proto=converted)
    assert (ours.bos_id(), ours.eos_id(), ours.unk_id()) == (1, 2, 0)
    lines = [line for lines in text_lines.values() for line in lines[:: len(lines) // 500]]
    expected, found = oracle.encode(lines), ours.encode(lines)
    differing = sum(one != other for one, other in zip(expected, found, strict=True))
    count_pairs(f"ids of {name}", len(lines), differing)
    assert differing == 0
    assert ours.decode(expected) == oracle.decode(expected)


@pytest.mark.parametrize(
    ("name", "pieces"), [("gemma2", 256_000), ("mistral-7b", 32_000), ("yi", 64_000)]
)
def test_a_published_file_has_the_ids_of_sentencepiece(
    name: str,
    pieces: int,
    data: TestData,
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    if name not in data.foreign:
        pytest.skip(data.missing.get(name, f"{name} is not there"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is left out
        model = to_model_proto(data.foreign[name].read_bytes())
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = spmlite.SentencePieceProcessor(model_proto=model)
    assert len(ours) == pieces
    lines = some(text_lines)
    differing = sum(map(different, oracle.encode(lines), ours.encode(lines)))
    count_pairs(f"ids of {name}", len(lines), differing)
    assert differing == 0


@pytest.mark.parametrize(("name", "original"), [("mistral-7b", "mistral_v1"), ("llama2", "gguf")])
def test_a_published_file_is_the_model_that_it_was_made_from(
    name: str,
    original: str,
    data: TestData,
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    """Llama 2's own, of llama.cpp, is a GGUF file."""
    path = data.foreign.get("llama-spm.gguf") if original == "gguf" else data.models.get(original)
    if name not in data.foreign or path is None:
        pytest.skip(f"{name}'s tokenizer.json, or the model behind it, could not be had")
    content = path.read_bytes()
    model = model_file.to_model(content)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r'.*left out.*"<<ST_0>>"')  # of speech
        ours = spmlite.SentencePieceProcessor(model_file=data.foreign[name])
    assert list(ours) == oracle.id_to_piece(list(range(len(oracle))))
    lines = some(text_lines)
    differing = sum(map(different, oracle.encode(lines), ours.encode(lines)))
    count_pairs(f"ids of {name}", len(lines), differing)
    assert differing == 0


@pytest.mark.parametrize("name", ["gemma3", "gemma2", "mistral-7b", "llama2", "yi"])
def test_a_published_file_has_the_ids_that_hugging_face_gives(
    name: str,
    data: TestData,
    encode_there: EncodeThere,
    texts: list[str],
    count_pairs: CountPairs,
) -> None:
    path = (data.foreign | data.tokenizers).get(name)
    if path is None:
        pytest.skip(data.missing.get(name, f"{name} is not there"))
    with warnings.catch_warnings():
        # Of speech, and of images.
        warnings.filterwarnings("ignore", message=r'.*left out.*"<(<ST_0>|image_soft_token)>"')
        ours = spmlite.SentencePieceProcessor(model_file=path)
    differing = sum(map(different, encode_there(path.read_bytes(), texts), ours.encode(texts)))
    count_pairs(f"ids of {name} in tokenizers", len(texts), differing)
    assert differing == 0


def test_yi_begins_and_ends_its_texts(data: TestData) -> None:
    if "yi" not in data.foreign:
        pytest.skip(data.missing.get("yi", "yi is not there"))
    ours = spmlite.SentencePieceProcessor(model_file=data.foreign["yi"])
    ids = ours.encode("a", add_bos=True, add_eos=True)
    pieces = [ours.id_to_piece(id) for id in ids]
    assert pieces == ["<|startoftext|>", "a", "<|endoftext|>"]


def some(text_lines: dict[str, list[str]]) -> list[str]:
    return [
        line
        for source in text_lines.values()
        for line in random.Random(3).sample(source, min(len(source), 100))
    ]


def different(one: list[int], other: list[int]) -> bool:
    return one != other


# --- Unigram ---

PRECOMPILED = "the model's own charsmap"
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
OLD_METASPACE = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}
SPLIT = {"type": "WhitespaceSplit"}
STRIP = {"type": "Strip", "strip_left": False, "strip_right": True}
ONE_SPACE = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
ONE_MARK = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}
QUOTES = [
    {"type": "Replace", "pattern": {"String": quotes}, "content": '"'} for quotes in ("``", "''")
]

# What ALBERT's and XLNet's files have before the charsmap.
OF_ALBERT = [
    *QUOTES,
    {"type": "NFKD"},
    {"type": "StripAccents"},
    {"type": "Lowercase"},
    {"type": "Precompiled", "precompiled_charsmap": ""},
    ONE_SPACE,
]


def sequence(*steps: object) -> list[object]:
    return list(steps)


# How files of these families, of several years, write the normalizer and the pre_tokenizer.
STYLES: dict[str, tuple[list[object], list[object]]] = {
    "T5": (sequence(PRECOMPILED), sequence(SPLIT, METASPACE)),
    "XLM-R": (sequence(PRECOMPILED), sequence(SPLIT, OLD_METASPACE)),
    "XLM-R of 2021": (sequence(PRECOMPILED, ONE_SPACE), sequence(OLD_METASPACE)),
    "mT5": (sequence(PRECOMPILED, STRIP, ONE_MARK), sequence(METASPACE)),
    "DeBERTa": (sequence(STRIP, PRECOMPILED, ONE_SPACE), sequence(METASPACE)),
    "ALBERT": (sequence(*QUOTES, PRECOMPILED, ONE_SPACE), sequence(SPLIT, METASPACE)),
}


def as_unigram_tokenizer_json(model: bytes, style: str) -> Json:
    """What Hugging Face makes of a Unigram model."""
    proto = parse(model)
    charsmap = base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()
    precompiled = {"type": "Precompiled", "precompiled_charsmap": charsmap}
    steps, pre_steps = STYLES[style]
    types = [piece.type for piece in proto.pieces]
    return {
        "added_tokens": [
            {"id": id, "content": piece.piece, "special": True}
            for id, piece in enumerate(proto.pieces)
            if piece.type in (2, 3)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [precompiled if step is PRECOMPILED else step for step in steps],
        },
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": pre_steps},
        "model": {
            "type": "Unigram",
            "unk_id": types.index(2),
            "vocab": [[piece.piece, piece.score] for piece in proto.pieces],
        },
    }


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["botchan_en_unigram_1000", "shared/t5_base"])
def test_a_unigram_model_survives_the_way_there_and_back(
    name: str,
    style: str,
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
) -> None:
    if name not in model_paths:
        pytest.skip(f"the model {name} is not there: see the end of the run")
    model = model_paths[name].read_bytes()
    converted = to_model_proto(json.dumps(as_unigram_tokenizer_json(model, style)))
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = spmlite.SentencePieceProcessor(model_proto=converted)
    # What is no SentencePiece's: the quotes of LaTeX.
    lines = [line for line in some(text_lines) if "``" not in line and "''" not in line]
    differing = sum(map(different, oracle.encode(lines), ours.encode(lines)))
    count_pairs(f"ids of {name} by way of {style}'s file", len(lines), differing)
    assert differing == 0


@pytest.mark.parametrize("name", ["shared/xlmr_nomic_gguf", "shared/llmjp_v3.0b1_100k"])
def test_scores_of_a_unigram_model_are_the_same_bits(
    name: str, model_paths: dict[str, Path], count_pairs: CountPairs
) -> None:
    if name not in model_paths:
        pytest.skip(f"the model {name} is not there: see the end of the run")
    model = model_paths[name].read_bytes()
    expected = parse(model)
    found = parse(to_model_proto(json.dumps(as_unigram_tokenizer_json(model, "T5"))))
    pairs = list(zip(expected.pieces, found.pieces, strict=True))
    differing = sum(one.piece != other.piece or one.score != other.score for one, other in pairs)
    count_pairs(f"pieces and scores of {name}", len(pairs), differing)
    assert differing == 0
    charsmaps = [proto.normalizer_spec.precompiled_charsmap for proto in (expected, found)]
    assert charsmaps[0] == charsmaps[1]


@pytest.fixture
def unigram() -> Json:
    """A tokenizer of the letters a and b, of ab, and of a▁b, which no text can give."""
    vocab = [["<unk>", 0], ["▁", -2.0], ["a", -3.5], ["b", -4], ["ab", -1e-05], ["a▁b", -0.1]]
    return {
        "added_tokens": [{"id": 0, "content": "<unk>", "special": True}],
        "normalizer": None,
        "pre_tokenizer": METASPACE,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab},
    }


def test_pieces_that_the_pre_tokenizer_cuts_are_not_used(unigram: Json) -> None:
    assert load(unigram).encode("a b", return_type=str) == ["▁", "a", "▁", "b"]
    unigram["pre_tokenizer"] = METASPACE | {"split": False}
    assert load(unigram).encode("a b", return_type=str) == ["▁", "a▁b"]


def test_texts_that_are_replaced_first_become_rules(unigram: Json) -> None:
    unigram["normalizer"] = {"type": "Sequence", "normalizers": [*QUOTES]}
    assert load(unigram).normalize("``a''") == '▁"a"'
    twice = {"type": "Replace", "pattern": {"String": '"'}, "content": "b"}
    charsmap = as_charsmap([('"', "b")])
    unigram["normalizer"]["normalizers"] = [*QUOTES, charsmap]
    with pytest.raises(ValueError, match="which the charsmap replaces again"):
        load(unigram)
    unigram["normalizer"]["normalizers"] = [charsmap, twice]
    with pytest.raises(ValueError, match="normalizer has the step"):
        load(unigram)


def as_charsmap(rules: list[tuple[str, str]]) -> Json:
    spec = sentencepiece_model_pb2.NormalizerSpec()
    normalizer = spmlite.SentencePieceNormalizer(norm_map=rules)
    spec.ParseFromString(normalizer.serialized_normalizer_spec())
    charsmap = base64.b64encode(spec.precompiled_charsmap).decode()
    return {"type": "Precompiled", "precompiled_charsmap": charsmap}


def test_a_token_with_spaces_around_is_no_text(unigram: Json) -> None:
    """XLM-R's <mask> is such a token."""
    unigram["model"]["vocab"].append(["<mask>", 0])
    unigram["added_tokens"].append({"id": 6, "content": "<mask>", "special": True, "lstrip": True})
    with pytest.warns(UserWarning, match='spell out "<mask>" do not get its id'):
        assert load(unigram).is_control(6)


REFUSED_UNIGRAM: list[tuple[Callable[[Json], object], str]] = [
    (lambda tokenizer: change("model.unk_id", None)(tokenizer), "model.unk_id is missing"),
    (lambda tokenizer: change("model.unk_id", 6)(tokenizer), "model.unk_id is 6, which is no id"),
    (lambda tokenizer: change("model.vocab", {})(tokenizer), "model.vocab is missing or no list"),
    (
        lambda tokenizer: tokenizer["model"]["vocab"].append(["c"]),
        'model.vocab[6] is ["c"] instead of a piece and a score',
    ),
    (
        lambda tokenizer: tokenizer["model"]["vocab"].append(["a", -1]),
        'model.vocab has "a" twice',
    ),
    (
        lambda tokenizer: change("model.byte_fallback", True)(tokenizer),
        'model.vocab lacks "<0x00>"',
    ),
    (lambda tokenizer: change("normalizer", STRIP)(tokenizer), "normalizer drops spaces at the"),
    (
        lambda tokenizer: change(
            "normalizer", {"type": "Precompiled", "precompiled_charsmap": "?"}
        )(tokenizer),
        "normalizer.precompiled_charsmap is not base64",
    ),
    (
        lambda tokenizer: change("pre_tokenizer", SPLIT)(tokenizer),
        "pre_tokenizer splits at white space, but nothing writes it as",
    ),
    (
        lambda tokenizer: change("normalizer", {"type": "Sequence", "normalizers": OF_ALBERT})(
            tokenizer
        ),
        'normalizer has the step {"type": "NFKD"}, which no SentencePiece model has: its rules are '
        "in a charsmap; load the .model that this file was made from, and change texts so before",
    ),
    *(
        (
            lambda tokenizer, step=step: change("normalizer", {"type": step})(tokenizer),
            f'normalizer has the step {{"type": "{step}"}}, which no SentencePiece model has',
        )
        for step in ("StripAccents", "Lowercase", "NFKC", "BertNormalizer")
    ),
]


@pytest.mark.parametrize(
    ("spoil", "reason"), REFUSED_UNIGRAM, ids=[reason for _, reason in REFUSED_UNIGRAM]
)
def test_a_unigram_tokenizer_that_sentencepiece_cannot_be_is_refused(
    unigram: Json, spoil: Callable[[Json], object], reason: str
) -> None:
    spoil(unigram)
    with pytest.raises(ValueError, match=r"^tokenizer\.json: ") as error:
        to_model_proto(json.dumps(unigram))
    assert reason in str(error.value)


# --- BPE ---


@pytest.fixture
def small() -> Json:
    """A tokenizer of the letters a and b, of ab, of the bytes, and of a user-defined <u>."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["ab", "▁ab", "▁", "a", "b", "<u>"]
    vocab = {piece: id for id, piece in enumerate(pieces)}
    return {
        "added_tokens": [
            {"id": vocab[piece], "content": piece, "special": piece != "<u>"}
            for piece in ("<unk>", "<s>", "</s>", "<u>")
        ],
        "normalizer": None,
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
        "model": {
            "type": "BPE",
            "byte_fallback": True,
            "unk_token": "<unk>",
            "vocab": vocab,
            "merges": ["a b", "▁ ab"],
        },
    }


def load(tokenizer: Json) -> spmlite.SentencePieceProcessor:
    return spmlite.SentencePieceProcessor(model_proto=to_model_proto(json.dumps(tokenizer)))


def test_what_is_said_of_a_file_begins_with_its_name(
    small: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And does not say twice what kind of file it is."""
    path = tmp_path / "x.json"
    small["added_tokens"].append({"id": 999, "content": "<image>"})
    path.write_text(json.dumps(small), "utf-8")
    left_out = f'{path}: left out, as not in model.vocab: "<image>"'
    with pytest.warns(UserWarning) as warned:
        spmlite.SentencePieceProcessor(path)
    assert [str(warning.message) for warning in warned] == [left_out]
    assert cli.main(["convert", str(path), str(tmp_path / "x.model")]) == 0
    assert cli.main(["diff", str(path), str(tmp_path / "x.model")]) == 0
    said = [line for line in capsys.readouterr().err.split("\n") if "left out" in line]
    assert said == [f"spmlite: {left_out}"] * 2
    path.write_text("{", "utf-8")
    with pytest.raises(RuntimeError) as error:
        spmlite.SentencePieceProcessor(path)
    assert str(error.value).startswith(f"{path}: this is not JSON: ")
    assert cli.main(["convert", str(path), str(tmp_path / "x.model")]) == 1
    assert capsys.readouterr().err.startswith(f"spmlite: {path}: this is not JSON: ")


def test_merges_may_be_strings(small: Json) -> None:
    assert load(small).encode("ab<u>ab b", return_type=str) == ["▁ab", "<u>", "ab", "▁", "b"]


@pytest.mark.parametrize(
    ("pre_tokenizer", "prefix"),
    [
        ({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}, True),
        ({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}, False),
        ({"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}, True),
        ({"type": "Metaspace", "replacement": "▁", "add_prefix_space": False}, False),
    ],
    ids=repr,
)
def test_the_mark_in_front(small: Json, pre_tokenizer: Json, prefix: bool) -> None:
    small["pre_tokenizer"] = pre_tokenizer
    assert load(small).encode("a", return_type=str) == (["▁", "a"] if prefix else ["a"])


def test_pieces_are_ranked_by_their_merges_not_by_their_ids(small: Json) -> None:
    vocab = small["model"]["vocab"]
    vocab["bb"] = len(vocab)
    vocab["▁a"] = len(vocab)
    small["model"]["merges"] = ["▁ a", "b b", "a b", "▁ ab", "▁a b"]
    assert load(small).encode("abb", return_type=str) == ["▁a", "bb"]


def test_added_tokens_beyond_the_vocabulary_are_left_out(small: Json) -> None:
    small["added_tokens"].append({"id": 999, "content": "<image>", "special": True})
    with pytest.warns(UserWarning, match='left out, as not in model.vocab: "<image>"'):
        processor = load(small)
    assert len(processor) == len(small["model"]["vocab"])


def test_a_tab_may_stand_for_its_byte(small: Json) -> None:
    """transformers writes Gemma's like this."""
    vocab = small["model"]["vocab"]
    vocab["\t"] = vocab.pop("<0x09>")
    assert load(small).encode("\ta") == [
        *load(small).encode(""),
        vocab["▁"],
        vocab["\t"],
        vocab["a"],
    ]


def test_bpe_without_byte_fallback(small: Json) -> None:
    small["model"] |= {"byte_fallback": False, "fuse_unk": True}
    assert load(small).encode("abxyb", return_type=str) == ["▁ab", "xy", "b"]


def test_pieces_may_be_cut_out_by_a_regular_expression(small: Json) -> None:
    vocab = small["model"]["vocab"]
    for text in ("a.b", "b|"):
        vocab[text] = len(vocab)
    split = {"type": "Split", "pattern": {"Regex": r"a\.b|b\|"}, "behavior": "Isolated"}
    small["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [small["pre_tokenizer"] | {"split": False}, split],
    }
    small["model"]["ignore_merges"] = True
    assert load(small).encode("aa.bb|", return_type=str) == ["▁", "a", "a.b", "b|"]
    split["pattern"] = {"Regex": "a.b"}
    with pytest.raises(ValueError, match="which SentencePiece does not know"):
        load(small)


def test_an_added_token_may_fill_a_gap(small: Json) -> None:
    del small["model"]["vocab"]["</s>"]
    assert load(small).eos_id() == 2


def change(path: str, value: object) -> Callable[[Json], None]:
    def change_it(tokenizer: Json) -> None:
        *parents, last = path.split(".")
        for parent in parents:
            tokenizer = tokenizer[parent]
        tokenizer[last] = value

    return change_it


# Byte-level BPE, as GPT-2, Llama 3 and Qwen 2.5 have it in their published files.
BYTE_LEVEL: Json = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
CUT_FIRST: Json = {
    "type": "Split",
    "pattern": {"Regex": r"(?i:'s|'t|'re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|\s+"},
    "behavior": "Isolated",
    "invert": False,
}
AS_LLAMA_3: Json = {"type": "Sequence", "pretokenizers": [CUT_FIRST, BYTE_LEVEL]}
AS_QWEN: Json = {"normalizer": {"type": "NFC"}, "pre_tokenizer": AS_LLAMA_3}

REFUSED: list[tuple[Callable[[Json], object], str]] = [
    (change("model", None), "model is missing or no object"),
    (change("model.type", "WordPiece"), 'model.type is "WordPiece"; only "BPE" and "Unigram"'),
    (change("model.byte_fallback", False), "model.byte_fallback is not true"),
    (change("model.continuing_subword_prefix", "##"), 'model.continuing_subword_prefix is "##"'),
    (change("model.end_of_word_suffix", "</w>"), 'model.end_of_word_suffix is "</w>"'),
    (change("model.ignore_merges", True), "model.ignore_merges is true"),
    (change("model.unk_token", "[UNK]"), 'model.unk_token is "[UNK]", which is not in'),
    (change("model.vocab", []), "model.vocab is missing or no object"),
    (change("model.vocab.ab", 7777), "model.vocab does not use each of the ids"),
    (change("model.vocab.ab", 5), "model.vocab does not use each of the ids"),
    (change("model.merges", None), "model.merges is missing or no list"),
    (change("model.merges", ["a b", "▁"]), 'model.merges[1] is "▁" instead of a pair'),
    (change("model.merges", ["a b"]), 'model.merges does not join "▁" and "ab"'),
    (
        change("model.merges", ["a b", "▁ ab", "a b"]),
        'model.merges[2] makes "ab" again, further down',
    ),
    (change("added_tokens", None), "added_tokens is missing or no list"),
    (change("added_tokens", [{"id": 1}]), "added_tokens[0] lacks an id or a content"),
    (
        change("added_tokens", [{"id": 1, "content": "<x>"}]),
        'id 1 is "<s>" in model.vocab and "<x>" in added_tokens',
    ),
    (
        lambda tokenizer: tokenizer["added_tokens"][3].update(lstrip=True),
        'the added token "<u>" has single_word, lstrip or rstrip',
    ),
    (change("normalizer", {"type": "NFKC"}), 'normalizer has the step {"type": "NFKC"}'),
    (
        change("normalizer", {"type": "Sequence", "normalizers": [{"type": "Strip"}]}),
        'normalizer has the step {"type": "Strip"}',
    ),
    (change("pre_tokenizer", None), 'neither normalizer nor pre_tokenizer writes spaces as "▁"'),
    *(
        (spoil, f"{step} has the step ByteLevel: this is byte-level BPE, as GPT-2, Llama 3 and")
        for spoil, step in (
            (change("pre_tokenizer", BYTE_LEVEL), "pre_tokenizer"),
            (change("pre_tokenizer", AS_LLAMA_3), "pre_tokenizer"),
            (lambda tokenizer: tokenizer.update(AS_QWEN), "pre_tokenizer"),
            (change("normalizer", BYTE_LEVEL), "normalizer"),
        )
    ),
    (
        lambda tokenizer: tokenizer["model"]["vocab"].update(
            {"<0x41 >": tokenizer["model"]["vocab"].pop("<0x41>")}
        ),
        'model.vocab lacks "<0x41>"',
    ),
]


@pytest.mark.parametrize(("spoil", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_sentencepiece_cannot_do_is_refused(
    small: Json, spoil: Callable[[Json], object], reason: str
) -> None:
    spoil(small)
    with pytest.raises(ValueError, match=r"^tokenizer\.json: ") as error:
        to_model_proto(json.dumps(small))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [("{", "this is not JSON"), ("[1]", "the file holds no JSON object"), (b"\xff", "not JSON")],
    ids=repr,
)
def test_what_is_no_tokenizer_json(content: str | bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        to_model_proto(content)
