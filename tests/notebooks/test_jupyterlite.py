"""The notebooks in JupyterLite: Pyodide in Chromium, from a server on this machine alone.

One notebook in every run; all five with SPMLITE_JUPYTERLITE=all in the environment.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import spmlite
from playwright.sync_api import Page
from steps import jupyterlite, notebooks, site
from steps.environment import CHECKOUT, Environment
from steps.stop import Stop

NOTEBOOKS = sorted(path.name for path in notebooks.FOLDER.glob("*.ipynb"))
EVERY_RUN = "3_three_trainers.ipynb"
MILLISECONDS = 240_000
# What the browser has no library for, or no trainer: by notebook.
LEFT_OUT = {
    "1_text.ipynb": {"word-level", "pieces-by-hand"},
    "2_bpe.ipynb": {"replay-in-the-library", "library-trainer"},
    "3_three_trainers.ipynb": {"library-wordpiece", "the-slider"},
    "4_bytes.ipynb": {"byte-level-library"},
    "5_vocabulary.ipynb": {"pieces-by-hand"},
}
RUN_ALL_CELLS = """async () => {
  const app = window.jupyterapp;
  const panel = app.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await app.commands.execute("notebook:run-all-cells");
  return panel.content.model.toJSON().cells.filter((cell) => cell.cell_type === "code");
}"""

CountPairs = Callable[[str, int, int], None]


@pytest.fixture(scope="module")
def address(
    jupyter: Environment, llama2: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A server of JupyterLite, with the wheel for Pyodide that was built last."""
    del jupyter
    wheels = sorted((CHECKOUT / "dist" / "pyodide").glob("*.whl"))
    if not wheels:
        pytest.skip("there is no dist/pyodide/*.whl: scripts/build makes it")
    models = tmp_path_factory.mktemp("models")
    notebooks.train_models(models)
    if llama2 is not None:
        shutil.copy(llama2, models / "tokenizer.model")
    out = tmp_path_factory.mktemp("jupyterlite") / "site"
    contents = [*notebooks.files(), *models.iterdir()]
    try:
        jupyterlite.build(out, wheels[-1], contents, app_in_browser=True)
    except Stop as stop:
        pytest.skip(str(stop))
    with site.served(out) as address:
        yield address


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_in_the_browser(
    name: str,
    address: str,
    page_without_strangers: Page,
    llama2: Path | None,
    count_pairs: CountPairs,
) -> None:
    if name != EVERY_RUN and os.environ.get("SPMLITE_JUPYTERLITE") != "all":
        pytest.skip("takes half a minute: SPMLITE_JUPYTERLITE=all runs it as well")
    page = page_without_strangers
    page.set_default_timeout(MILLISECONDS)
    page.goto(f"{address}notebooks/index.html?path={name}")
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.content?.model")
    cells = page.evaluate(RUN_ALL_CELLS)
    failed = {cell["id"]: error for cell in cells for error in errors(cell)}
    assert failed == {}
    assert all(cell["execution_count"] for cell in cells)
    left_out = {cell["id"] for cell in cells if "left out" in printed(cell)}
    assert left_out - {"llama-2"} == LEFT_OUT[name]
    assert ("llama-2" in left_out) == (name == "4_bytes.ipynb" and llama2 is None)
    if name == EVERY_RUN:
        assert f"spmlite {spmlite.__version__} has done all" in printed(cells[-1])
    count_pairs(f"{name}: cells run in JupyterLite", len(cells), len(failed))


def errors(cell: dict[str, Any]) -> list[str]:
    return [output["evalue"] for output in cell["outputs"] if output["output_type"] == "error"]


def printed(cell: dict[str, Any]) -> str:
    texts = (output.get("text", "") for output in cell["outputs"])
    return "".join("".join(text) for text in texts)
