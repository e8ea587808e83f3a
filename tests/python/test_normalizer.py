"""`SentencePieceNormalizer`, beside the oracle's."""

from __future__ import annotations

import itertools
import pickle
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import spmlite
import spmlite.charsmaps
from spmlite import sentencepiece_model_pb2

CountPairs = Callable[[str, int, int], None]

TEXTS = [
    "",
    "  Hello   world ",
    "\uff2b\uff21\uff24\uff2fABC ㍻ ﷺ",
    "é ﬁ İ ẞ \u200b\ufeff \t\n x",
    unicodedata.normalize("NFD", "각 é が"),
    "foo apple football ▁ é",
]
NAMES = ["identity", "nfkc", "nmt_nfkc", "nfkc_cf", "nmt_nfkc_cf"]
RULES = [("foo", "bar"), ("apple", ""), ("f", "ph"), ("é", "ee"), ("🦙", "llama")]
FLAGS = ("add_dummy_prefix", "escape_whitespaces", "remove_extra_whitespaces")
SMALL = 1 << 19  # bytes of a model: a large one takes seconds to load in the oracle


def everything(module: Any, **source: Any) -> list[Any]:  # noqa: ANN401 - whatever a call gives
    """What a normalizer says of texts, without flags and with all combinations of them."""
    results: list[Any] = []
    for values in [(None,) * 3, *itertools.product([False, True], repeat=3)]:
        flags = dict(zip(FLAGS, values, strict=True))
        normalizer = module.SentencePieceNormalizer(**source, **flags)
        results += [normalizer.normalize(TEXTS), normalizer.Normalize(TEXTS, with_offsets=True)]
        results += [normalizer.normalize(text.encode(), with_offsets=True) for text in TEXTS]
    return results


def test_of_each_model(model_paths: dict[str, Path], count_pairs: CountPairs) -> None:
    compared = 0
    small = [path for path in model_paths.values() if path.stat().st_size < SMALL]
    for path in small:
        source = {"model_file": str(path)}
        expected = everything(sentencepiece, **source)
        assert everything(spmlite, **source) == expected
        compared += len(expected)
        oracle, ours = (
            module.SentencePieceNormalizer(**source, add_dummy_prefix=False)
            for module in (sentencepiece, spmlite)
        )
        assert ours.serialized_normalizer_spec() == oracle.serialized_normalizer_spec()
        assert ours.serialized_model_proto() == oracle.serialized_model_proto()
        compared += 2
    count_pairs(f"{len(small)} models", compared, 0)


def test_every_source_of_one(model_paths: dict[str, Path]) -> None:
    path = next(iter(model_paths.values()))
    content = path.read_bytes()
    message = sentencepiece_model_pb2.ModelProto.FromString(content)
    expected = everything(spmlite, model_file=path)
    for source in (
        {"model_proto": content},
        {"model_proto": message},
        {"normalizer_spec": message.normalizer_spec},
        {"normalizer_spec": message.normalizer_spec.SerializeToString()},
    ):
        assert everything(spmlite, **source) == expected


@pytest.mark.parametrize("name", NAMES)
def test_rules_that_have_names(name: str) -> None:
    assert everything(spmlite, rule_name=name) == everything(sentencepiece, rule_name=name)
    oracle, ours = (m.SentencePieceNormalizer(rule_name=name) for m in (sentencepiece, spmlite))
    if name == "identity":
        with pytest.raises(RuntimeError, match="has no rules"):
            ours.decompile()
        return
    rules = ours.decompile()
    print(f"{name}: {len(rules):,} rules")
    assert rules == oracle.decompile()
    assert spmlite.SentencePieceNormalizer(norm_map=rules).Decompile() == rules


def test_rules_of_ones_own(tmp_path: Path) -> None:
    assert everything(spmlite, norm_map=RULES) == everything(sentencepiece, norm_map=RULES)
    path = tmp_path / "rules.tsv"
    lines = ["66 6F 6F\t62 61 72", "U+61\t", "E9", "3042 3044\tU+3046\tnote"]
    path.write_text("\n".join(lines) + "\n")
    source = {"rule_tsv": str(path)}
    assert everything(spmlite, **source) == everything(sentencepiece, **source)
    oracle, ours = (m.SentencePieceNormalizer(**source) for m in (sentencepiece, spmlite))
    assert ours.decompile() == oracle.decompile()
    path.write_text("66\tno\n")
    with pytest.raises(RuntimeError, match="line 1 holds what is no code point"):
        spmlite.SentencePieceNormalizer(rule_tsv=path)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([(b"\xff", b"bar")], "not UTF-8"),
        ([("foo", b"\xff")], "not UTF-8"),
        ([("", "bar")], "replaces nothing"),
        ([("foo", "foo")], 'replaces "foo" by itself'),
        ([("foo", "bar"), ("foo", "baz")], 'two rules for "foo"'),
        ([("a" * length, "b") for length in range(1, 33)], "more than 31 rules begin like"),
    ],
)
def test_rules_that_cannot_be(rules: list[tuple[str | bytes, str | bytes]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spmlite.SentencePieceNormalizer(norm_map=rules)
    with pytest.raises((ValueError, RuntimeError)):
        sentencepiece.SentencePieceNormalizer(norm_map=rules)


def test_31_rules_may_begin_alike() -> None:
    rules = [("a" * length, "b") for length in range(1, 32)]
    normalizer = spmlite.SentencePieceNormalizer(norm_map=rules, add_dummy_prefix=False)
    assert normalizer.normalize("a" * 31) == "b"


def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="give a model"):
        spmlite.SentencePieceNormalizer()
    with pytest.raises(RuntimeError, match=r"missing\.model: No such file"):
        spmlite.SentencePieceNormalizer(model_file="missing.model")
    for source in ({"model_proto": b"\x0a\xff"}, {"normalizer_spec": b"\x0a\xff"}):
        with pytest.raises(RuntimeError, match=r"byte 0|has no end"):
            spmlite.SentencePieceNormalizer(**source)
    with pytest.raises(ValueError, match="small letters"):
        spmlite.SentencePieceNormalizer(rule_name="../nfkc")
    monkeypatch.setattr(spmlite.charsmaps, "_data_dir", tmp_path)
    with pytest.raises(RuntimeError, match=r"no nfkc\.bin in"):
        spmlite.SentencePieceNormalizer(rule_name="nfkc")
    monkeypatch.setattr(spmlite.charsmaps, "_data_dir", None)
    monkeypatch.setattr(spmlite.charsmaps, "_sentencepiece_data", lambda: None)
    with pytest.raises(RuntimeError, match="in the package sentencepiece: install that"):
        spmlite.SentencePieceNormalizer(rule_name="nfkc")


def test_rules_in_a_folder_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = spmlite.SentencePieceNormalizer(norm_map=RULES)
    spec = sentencepiece_model_pb2.NormalizerSpec.FromString(rules.serialized_normalizer_spec())
    (tmp_path / "own_rules.bin").write_bytes(spec.precompiled_charsmap)
    monkeypatch.setattr(spmlite.charsmaps, "_data_dir", None)
    spmlite.set_data_dir(tmp_path)
    assert spmlite.SentencePieceNormalizer(rule_name="own_rules").decompile() == sorted(RULES)


def test_a_damaged_charsmap_is_refused() -> None:
    spec = sentencepiece_model_pb2.NormalizerSpec()
    for charsmap in (b"\x00\x04\x00\x00x", b"\xff" * 2000, b"\x00\x04\x00\x00" + b"\xff" * 1100):
        spec.precompiled_charsmap = charsmap
        with pytest.raises(RuntimeError, match="charsmap"):
            spmlite.SentencePieceNormalizer(normalizer_spec=spec)
        with pytest.raises(RuntimeError, match=r"charsmap|replacement"):
            spmlite._native.decompile_charsmap(charsmap)


def test_pickling() -> None:
    normalizer = spmlite.SentencePieceNormalizer(norm_map=RULES, escape_whitespaces=False)
    again = pickle.loads(pickle.dumps(normalizer))
    assert again.normalize(TEXTS) == normalizer.normalize(TEXTS)
