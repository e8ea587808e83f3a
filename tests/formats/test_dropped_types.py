"""`scripts/measure_dropped_types.py`, on a small model and documents of which all is known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from spmlite.model_types import PieceType
from tiny_model import Piece, tiny_model

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "measure_dropped_types.py"


def measure(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """With a piece that is matched verbatim, and that nothing merges into."""
    path = tmp_path / "tiny.model"
    path.write_bytes(tiny_model([Piece("<a>", 0, PieceType.USER_DEFINED)]))
    return path


def test_a_document_is_wrong_where_an_id_differs(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in (("a", "Hello <a>"), ("b", "Hello world"), ("c", "<a>"), ("d", "world")):
        (folder / name).write_text(f"{text}\n")
    (folder / "no-text").write_bytes(b"\xff\xfe")
    done = measure("--model", model, "--size", "0", folder)
    assert (done.returncode, done.stderr) == (0, "")
    counted, *ways = done.stdout.splitlines()
    assert counted.startswith("4 documents, 32 characters, ")
    wrong = {line[:42].strip(): line[42:].split(";")[0].split() for line in ways}
    assert wrong == {
        "types dropped, scores kept": ["2", "wrong,", "50.0%"],
        "scores dropped (merged by id), types kept": ["0", "wrong,", "0.0%"],
        "both, as .tiktoken": ["2", "wrong,", "50.0%"],
    }


def test_texts_are_cut_at_line_ends(model: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Hello <a>\n" + "Hello world\n" * 9)
    done = measure("--model", model, "--size", "20", text)
    counted, types_dropped, *_ = done.stdout.splitlines()
    assert counted.startswith("5 documents, 118 characters, ")
    assert "1 wrong,  20.0%" in types_dropped


def test_what_cannot_be_measured_is_said(model: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    for text, message in (
        ("missing.txt", f"{tmp_path / 'missing.txt'}: No such file or directory"),
        ("empty.txt", "there is no text to measure with"),
    ):
        done = measure("--model", model, tmp_path / text)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"measure_dropped_types: {message}\n"
