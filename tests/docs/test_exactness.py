"""docs/exactness.md names tests: they exist."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "exactness.md"
CASES = 14

# `file`: "name" or, for more tests of the same file, `file`: "name", "name".
NAMED = re.compile(r'`((?:core/)?tests/[\w/.]+\.(?:cc|py))`:\s*("[^"]+"(?:,\s*"[^"]+")*)')


def names_in(text: str) -> list[tuple[str, str]]:
    return [
        (file, " ".join(name.split()))
        for file, names in NAMED.findall(text)
        for name in re.findall(r'"([^"]+)"', names)
    ]


def definition(file: str, name: str) -> str:
    return f'TEST_CASE("{name}")' if file.endswith(".cc") else f"def {name}("


def test_every_test_that_is_named_exists() -> None:
    named = names_in(PAGE.read_text(encoding="utf-8"))
    print(f"{len(named)} tests are named")
    for file, name in named:
        source = (CHECKOUT / file).read_text(encoding="utf-8")
        assert definition(file, name) in source, (file, name)


def cases_in(page: str) -> list[str]:
    """The rows of the tables of cases; other tables have another head."""
    tables = (block for block in page.split("\n\n") if block.startswith("| case "))
    return [row for table in tables for row in table.strip().splitlines()[2:]]


def test_every_case_has_a_test() -> None:
    cases = cases_in(PAGE.read_text(encoding="utf-8"))
    print(f"{len(cases)} cases")
    assert len(cases) >= CASES
    for row in cases:
        assert names_in(row), row
