"""A small model, and the Python that runs the tests, for the command line."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import spmlite

sys.path.insert(0, str(Path(__file__).parent))

from tiny_model import tiny_model

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

# On a machine that sentencepiece has no wheel for, what compares with it is left out.
ORACLE = importlib.util.find_spec("sentencepiece")
HERE = Path(__file__).parent
collect_ignore = (
    []
    if ORACLE
    else [
        file.name
        for file in sorted(HERE.glob("test_*.py"))
        if re.search("^(import|from) sentencepiece", file.read_text("utf-8"), re.MULTILINE)
    ]
)


def pytest_report_header() -> str:
    left_out = f"; left out without it: {', '.join(collect_ignore)}" if collect_ignore else ""
    return f"sentencepiece to compare with: {'here' if ORACLE else 'not here'}{left_out}"


@pytest.fixture(scope="session")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny") / "tiny.model"
    path.write_bytes(tiny_model())
    return path


@pytest.fixture(scope="session")
def processor(model_path: Path) -> spmlite.SentencePieceProcessor:
    return spmlite.SentencePieceProcessor(model_file=model_path)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `python -m spmlite` in a folder of the test's own."""

    def run_spmlite(
        *arguments: str | Path, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "spmlite", *map(str, arguments)]
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C"},
            timeout=120,
            check=False,
        )

    return run_spmlite
