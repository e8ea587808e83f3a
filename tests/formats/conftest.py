"""The small model of tests/python, and Hugging Face's tokenizers with texts for it."""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from steps import pypi
from steps.stop import Stop

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from tiny_model import tiny_model

REQUIREMENTS = Path(__file__).parents[2] / "scripts" / "requirements" / "bench.txt"
LINES_A_SOURCE = 120

EncodeThere = Callable[[bytes, list[str]], list[list[int]]]


@pytest.fixture(scope="session")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny") / "tiny.model"
    path.write_bytes(tiny_model())
    return path


@pytest.fixture(scope="session")
def tokenizers() -> Any:  # noqa: ANN401 - a module
    """Hugging Face's package, without what it requires: that is for downloading alone."""
    name, version, digests = "tokenizers", "", []
    for line in REQUIREMENTS.read_text("utf-8").splitlines():
        if line.startswith(f"{name}=="):
            version = line.split("==")[1].split()[0]
        elif version and (digest := re.match(r"\s+--hash=sha256:(\w+)", line)):
            digests.append(digest[1])
        elif version:
            break
    try:
        folder = pypi.unpacked_wheel(pypi.Pin(name, version, tuple(digests)))
    except Stop as stop:
        pytest.skip(str(stop))
    sys.path.append(str(folder))
    return importlib.import_module(name)


@pytest.fixture(scope="session")
def texts(text_lines: dict[str, list[str]]) -> list[str]:
    """Lines that people wrote; those made to be hard are what tokenizers gets wrong."""
    return [
        line
        for name, source in text_lines.items()
        if name != "shared/hard_strings"
        for line in random.Random(2).sample(source, min(len(source), LINES_A_SOURCE))
    ]


@pytest.fixture(scope="session")
def encode_there(tokenizers: Any) -> EncodeThere:  # noqa: ANN401 - a module
    """Gives the ids of texts by a tokenizer.json in Hugging Face's package."""

    def encode(tokenizer_json: bytes, texts: list[str]) -> list[list[int]]:
        theirs = tokenizers.Tokenizer.from_str(tokenizer_json.decode())
        return [one.ids for one in theirs.encode_batch(texts, add_special_tokens=False)]

    return encode
