"""The package's own tests, run by pytest inside Pyodide, on Node."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

CountPairs = Callable[[str, int, int], None]
RunNode = Callable[..., str]

TESTS = Path(__file__).parents[1]
# The others need numpy or the oracle, of which npm and PyPI have nothing for Pyodide, or processes.
FILES = (
    "test_doctests.py",
    "test_errors.py",
    "test_offset_units.py",
    "test_splitting.py",
    "test_streaming_decoder.py",
)
FEWEST = 45


def test_they_pass_inside(
    wheel: Path,
    folder: Path,
    helper_wheels: dict[str, Path],
    run_node: RunNode,
    count_pairs: CountPairs,
) -> None:
    files = json.dumps(FILES)
    printed = run_node("run_tests.mjs", folder, TESTS, files, wheel, *helper_wheels.values())
    sys.stdout.write(printed)  # pytest shows it where this fails
    python = re.search(r"Python ([\d.]+\w*)", printed)
    found = re.search(r"(\d+) passed, (\d+) skipped", printed)
    assert python
    assert found
    passed, skipped = map(int, found.groups())
    count_pairs(f"Python {python[1]} inside: {skipped} have no place there", passed, 0)
    assert passed >= FEWEST
