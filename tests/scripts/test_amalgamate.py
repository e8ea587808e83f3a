"""What `scripts/amalgamate.py` says; what it makes is tested in tests/packaging."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "amalgamate.py"


@pytest.fixture(autouse=True)
def cache_folder() -> None:
    """Not an empty one: FlatBuffers is there."""


def said(*arguments: str | Path) -> list[str]:
    command = [sys.executable, SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_it_says_which_files_it_wrote_and_which_were_fresh(tmp_path: Path) -> None:
    first = said("--output", tmp_path)
    assert len(first) == len(list(tmp_path.iterdir()))
    assert all(": written, " in line for line in first)
    (tmp_path / "sentencepiece_lite.h").write_text("")
    again = said("--output", tmp_path)
    written = [line.split(":")[0].strip() for line in again if ": fresh, " not in line]
    assert written == [str(tmp_path / "sentencepiece_lite.h")]
    assert said("--output", tmp_path, "--check") == [f"  {tmp_path}: {len(first)} files, all fresh"]
