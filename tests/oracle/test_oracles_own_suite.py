"""The oracle's own tests pass with `spmlite` in place of `sentencepiece`.

They come from its sdist. Those that are left out, with the reasons, are in left_out.toml.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = ("sentencepiece_test.py", "numpy_test.py")
FEWEST_TESTS = 70

CountPairs = Callable[[str, int, int], None]


@pytest.fixture(scope="module")
def outcomes(sentencepiece_tests: Path) -> dict[str, str]:
    """What became of each test, by its file and name."""
    command = [sys.executable, HERE / "run_suite.py", sentencepiece_tests, *FILES]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    found = re.findall(r"^outcome (\w+) (\S+)$", run.stdout, re.MULTILINE)
    assert found, run.stdout + run.stderr
    sys.stdout.write(run.stdout)  # pytest shows it where a test fails
    return {name: outcome for outcome, name in found}


@pytest.fixture(scope="module")
def left_out() -> dict[str, str]:
    """The reason for each test that is left out."""
    groups = tomllib.loads((HERE / "left_out.toml").read_text("utf-8"))["left_out"]
    reasons: dict[str, str] = {}
    for group in groups:
        assert group["reason"]
        for name in group["tests"]:
            assert name not in reasons, f"{name} is there twice"
            reasons[name] = group["reason"]
    return reasons


def test_all_pass_but_those_left_out(
    outcomes: dict[str, str], left_out: dict[str, str], count_pairs: CountPairs
) -> None:
    failed = {
        name: outcome
        for name, outcome in outcomes.items()
        if outcome != "passed" and name not in left_out
    }
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    count_pairs(f"{passed} pass, {len(left_out)} are left out", len(outcomes), len(failed))
    assert len(outcomes) >= FEWEST_TESTS
    assert not failed


def test_none_that_passes_is_left_out(outcomes: dict[str, str], left_out: dict[str, str]) -> None:
    assert not [name for name in left_out if outcomes.get(name) == "passed"]


def test_those_left_out_are_there(outcomes: dict[str, str], left_out: dict[str, str]) -> None:
    assert not left_out.keys() - outcomes.keys()
