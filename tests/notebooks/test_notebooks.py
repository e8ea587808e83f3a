"""The notebooks run to their end, with the libraries at the pinned versions.

Their cells assert the figures of the lesson themselves.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from steps import notebooks
from steps.environment import REQUIREMENTS, Environment

HERE = Path(__file__).parent
NOTEBOOKS = sorted(notebooks.FOLDER.glob("*.ipynb"))
SECONDS = 300

CountPairs = Callable[[str, int, int], None]


def test_there_are_notebooks_for_all_labs() -> None:
    text = "".join(path.read_text("utf-8") for path in NOTEBOOKS)
    labs = [number for number in range(1, 11) if f"## Lab {number}:" in text]
    assert labs == list(range(1, 11))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_as_it_was_before_it_ran(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, cell["id"]


@pytest.fixture(scope="module")
def ended(
    jupyter: Environment, llama2: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """How each notebook ended, by its name."""
    folder = tmp_path_factory.mktemp("notebooks")
    for file in notebooks.files():
        shutil.copy(file, folder)
    if llama2 is not None:
        shutil.copy(llama2, folder / "tokenizer.model")
    done = subprocess.run(
        [jupyter.python, HERE / "run_notebooks.py", folder, *NOTEBOOKS],
        env=jupyter.variables() | {"JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(
    path: Path, ended: dict[str, Any], llama2: Path | None, count_pairs: CountPairs
) -> None:
    ran = ended[path.name]
    assert not ran["failure"], ran["failure"]
    left_out = {cell: text for cell, text in ran["printed"].items() if "left out" in text}
    if llama2 is None:
        assert set(left_out) <= {"llama-2"}
        print(f"Llama 2's model is not at hand: {left_out}")
    else:
        assert left_out == {}
    count_pairs(f"{path.name}: assertions of figures", ran["assertions"], 0)


@pytest.mark.parametrize("name", ["tokenizers", "sentencepiece"])
def test_the_libraries_are_those_that_are_pinned(name: str, jupyter: Environment) -> None:
    question = f"import importlib.metadata as metadata; print(metadata.version({name!r}))"
    done = subprocess.run(
        [jupyter.python, "-c", question], capture_output=True, text=True, check=True
    )
    assert f"{name}=={done.stdout.strip()} " in (REQUIREMENTS / "notebooks.txt").read_text("utf-8")
