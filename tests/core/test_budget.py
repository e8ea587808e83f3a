"""The runtime stays small enough to be read."""

from __future__ import annotations

from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "core"
MOST_LINES = 2000


def lines_of_code(file: Path) -> int:
    """Lines that are neither empty nor a comment alone."""
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return sum(1 for line in lines if line and not line.startswith("//"))


def test_the_runtime_stays_under_2000_lines() -> None:
    headers = {
        CORE / "include" / f"{name}.h"
        for name in ("sentencepiece_lite", "cached_sentencepiece_lite")
    }
    files = headers | {file for file in (CORE / "src").iterdir() if file.suffix in {".h", ".cc"}}
    counts = {file.name: lines_of_code(file) for file in sorted(files)}
    print(counts)
    total = sum(counts.values())
    assert len(counts) > len(headers)
    assert total < MOST_LINES, counts
