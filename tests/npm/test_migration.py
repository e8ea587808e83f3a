"""What docs/migration.md says that calls of other packages become."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from records import lines_of
from steps import test_data
from steps.bench import peers
from steps.stop import Stop

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "migration.md"
# What the post_processor of these published files asks for.
FRAMING: dict[str, dict[str, bool]] = {"mistral-7b": {"addBos": True}, "yi": {}}
LINES = 40
LONGEST = 300

Run = Callable[..., str]
CountPairs = Callable[[str, int, int], None]


def calls(page: str) -> Iterator[tuple[str, str]]:
    """What is called in the tables, and on what: of the left column theirs, of the right ours."""
    for left, right in re.findall(r"^\| (.*?) \| (.*?) ?\|$", page, re.MULTILINE):
        for cell, owner in ((left, ""), (right, "our ")):
            for code in re.findall(r"`([^`]*)`", cell):
                for of, name in re.findall(r"(?<!new )\b(?:(\w+)\.)?(\w+)\(", code):
                    yield f"{owner}{of}".strip(), name


def test_calls_become_what_the_page_says(
    data: test_data.TestData,
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    installed: Path,
    run: Run,
    tmp_path: Path,
    count_pairs: CountPairs,
) -> None:
    try:
        modules = peers.node_modules() / "node_modules"
    except Stop as stop:
        pytest.skip(f"the other packages cannot be had: {stop}")
    files = data.foreign
    if missing := {*FRAMING, "llama2"} - files.keys():
        pytest.skip(f"not there: {', '.join(sorted(missing))}")
    named = sorted(set(calls(PAGE.read_text("utf-8"))))
    assert len(named) > 25
    task = {
        "calls": named,
        "tokenizerJson": {str(files[name]): framing for name, framing in FRAMING.items()},
        "llama2": str(files["llama2"]),
        "model": str(next(iter(model_paths.values()))),
        "lines": [line[:LONGEST] for line in lines_of(text_lines, LINES) if line],
    }
    (tmp_path / "task.json").write_text(json.dumps(task), "utf-8")
    shutil.copy(HERE / "pages" / "compare_migration.mjs", installed)
    printed = run("node", "compare_migration.mjs", modules, tmp_path / "task.json", cwd=installed)
    found = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
    count_pairs(f"results, of {len(named)} calls", found["compared"], len(found["differing"]))
    assert found["missing"] == []
    assert found["differing"] == []
