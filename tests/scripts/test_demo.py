"""The README's first command, but for what needs a person to look at it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from steps import demo

CHECKOUT = Path(__file__).parents[2]
FACES = ("native Python", "Node", "Chromium", "Pyodide")


@pytest.fixture(autouse=True)
def cache_folder() -> None:
    """Not an empty one: the toolchain and the models are there."""


def test_the_demo_finds_the_ids_of_sentencepiece_everywhere() -> None:
    command = [sys.executable, CHECKOUT / "scripts" / "demo", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\n\d+ bytes of text, encoded with (Gemma 3|Mistral)\n", done.stdout)
    table = done.stdout.partition("encode   ids\n")[2]
    assert re.search(r"sentencepiece 0\.2\.3 itself .* what they should be\n", table)
    for face in FACES:
        assert re.search(rf"{face}.* ms .* µs   the same\n", table)
    assert "All 4 have the ids of sentencepiece: " in done.stdout
    assert "pip install " in done.stdout
    assert "npm install " in done.stdout


def test_the_first_line_of_pieces_stands_above_its_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = demo.Model("Gemma 3", tmp_path / "model.spm.fb")
    model.fb.write_bytes(bytes(1_600_000))
    pieces = ["▁Hello", "!", "\n", "▁world"]
    demo.print_pieces(model, demo.Result(demo.ORACLE, [7, 1234567, 9, 8], 1.0, 1.0, pieces))
    *_, told, above, below = capsys.readouterr().out.splitlines()
    assert "4 ids" in told
    assert "1.6 MB" in told
    assert (above, below) == ("  ▁Hello  !", "  7       1234567")


def test_other_ids_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    oracle = demo.Result(demo.ORACLE, [1, 2], 1.0, 1.0, ["a", "b"])
    same, others = (
        demo.Result(name, ids, 1.0, 1.0, []) for name, ids in (("a", [1, 2]), ("b", [1]))
    )
    assert demo.print_results(oracle, [same])
    assert not demo.print_results(oracle, [same, others])
    shown = capsys.readouterr().out
    assert "OTHERS" in shown
    assert "They do not agree" in shown
