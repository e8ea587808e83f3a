"""The notebooks as a site of JupyterLite that takes nothing from strangers' servers."""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from . import build as packages
from . import cache, console, notebooks, pyodide, pypi, site
from .environment import CHECKOUT, REQUIREMENTS

# The line of Pyodide that jupyterlite-pyodide-kernel 0.8 is made for.
PYODIDE = "314.0.7"
# This Pyodide's Python takes pure wheels for it, and for any older one.
PYTHON = "3.14"
# What the kernel's page itself loads; all else comes by way of piplite.
LOADED_BY_PAGE = "micropip"
# No more of JupyterLite than the notebooks need: its terminal, console and the like are left out.
APPS = ("lab", "notebooks", "tree", "edit")


def main() -> int:
    """Build the site with what there is of the package and the notebooks; serve it, if asked to."""
    parser = argparse.ArgumentParser(prog="scripts/jupyterlite", description=__doc__)
    site.add_serving(parser, 8766)
    arguments = parser.parse_args()
    packages.build(["python", "pyodide"])
    out = CHECKOUT / "dist" / "jupyterlite"
    wheel = next((CHECKOUT / "dist" / "pyodide").glob("*.whl"))
    with tempfile.TemporaryDirectory() as models:
        notebooks.train_models(Path(models))
        build(out, wheel, [*notebooks.files(), *Path(models).iterdir()])
    site.serve_if_asked(out, arguments)
    return 0


@functools.cache
def kernel_wheels() -> list[Path]:
    """The pure wheels that the kernel needs, and those that the package asks for."""
    requirements = REQUIREMENTS / "jupyterlite.txt"
    what = "the kernel's wheels for JupyterLite"
    return pypi.pure_wheels("jupyterlite-wheels", requirements, PYTHON, what)


def build(
    out: Path, wheel: Path, contents: Iterable[Path], *, app_in_browser: bool = False
) -> None:
    """Make the site in the folder `out`, with the package's `wheel` and the files of `contents`.

    With `app_in_browser` its pages have the global `jupyterapp`, by which a test runs cells.
    """
    draft = out.with_name(f".{out.name}")
    cache.remove(draft)
    cache.remove(out)
    lite = draft / "lite"
    _lay_pyodide(lite / "static" / "pyodide")
    _lay_wheels(lite / "pypi", wheel)
    (draft / "files").mkdir()
    for file in contents:
        shutil.copy(file, draft / "files")
    (lite / "jupyter-lite.json").write_text(json.dumps(_settings(app_in_browser)), encoding="utf-8")
    environment = notebooks.find_or_get()
    words: list[str | Path] = [environment.python, "-m", "jupyterlite_core", "build"]
    words += ["--lite-dir", lite, "--output-dir", out, "--contents", draft / "files"]
    words += ["--no-sourcemaps", "--no-unused-shared-packages"]
    words += [word for app in APPS for word in ("--apps", app)]
    with console.step("JupyterLite's site"):
        console.run(words, log="jupyterlite", cwd=draft, env=environment.variables())
    cache.remove(draft)


def _settings(app_in_browser: bool) -> dict[str, object]:
    kernel = {"disablePyPIFallback": True}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "exposeAppInBrowser": app_in_browser,
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }


def _lay_pyodide(folder: Path) -> None:
    """Pyodide as npm has it, with PyPI's micropip in place of the one that it would download."""
    shutil.copytree(pyodide.find_or_get(PYODIDE), folder)
    (wheel,) = (path for path in kernel_wheels() if path.name.startswith(f"{LOADED_BY_PAGE}-"))
    shutil.copy(wheel, folder)
    lock_file = folder / "pyodide-lock.json"
    lock = json.loads(lock_file.read_text(encoding="utf-8"))
    entry = lock["packages"][LOADED_BY_PAGE]
    entry |= {"file_name": wheel.name, "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest()}
    lock["packages"] = {LOADED_BY_PAGE: entry}
    lock_file.write_text(json.dumps(lock), encoding="utf-8")


def _lay_wheels(folder: Path, wheel: Path) -> None:
    folder.mkdir()
    for path in (*kernel_wheels(), wheel):
        shutil.copy(path, folder)
