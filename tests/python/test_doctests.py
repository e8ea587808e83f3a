"""The examples of the package's documentation."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest
import spmlite
import spmlite.charsmaps

MODULES = (
    "spmlite",
    "spmlite.processor",
    "spmlite.camel_case",
    "spmlite.charsmaps",
    "spmlite.converting",
    "spmlite.model_file",
    "spmlite.normalizer",
    "spmlite.randomness",
    "spmlite.sentencepiece_model_pb2",
    "spmlite.sentencepiece_pb2",
    "spmlite.settings",
    "spmlite.splitting",
    "spmlite.spm_text",
    "spmlite.thread_pool",
    "spmlite.tokenizer_json",
    "spmlite.trainer",
    "spmlite.wire",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(
    name: str,
    processor: spmlite.SentencePieceProcessor,
    model_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spmlite.charsmaps, "_data_dir", None)  # an example sets it
    module = importlib.import_module(name)
    names = {
        "SentencePieceNormalizer": spmlite.SentencePieceNormalizer,
        "SentencePieceProcessor": spmlite.SentencePieceProcessor,
        "processor": processor,
        "model_path": model_path,
        "tmp_path": tmp_path,
    }
    results = doctest.testmod(module, extraglobs=names)
    assert results.failed == 0


def test_every_public_method_has_an_example() -> None:
    module = importlib.import_module("spmlite.processor")
    tests = doctest.DocTestFinder().find(module)
    with_examples = {test.name.rpartition(".")[2] for test in tests if test.examples}
    methods = {
        getattr(member, "__func__", member).__name__  # an alias has its method's name
        for name, member in vars(spmlite.SentencePieceProcessor).items()
        if not name.startswith("_")
    }
    assert methods
    assert methods <= with_examples
