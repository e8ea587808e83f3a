"""The notebooks: the environment that runs them, and the models that lie beside them."""

from __future__ import annotations

import functools
from pathlib import Path

from . import build, cache, console
from .environment import CHECKOUT, Environment, of_its_own

FOLDER = CHECKOUT / "notebooks"


@functools.cache
def find_or_get() -> Environment:
    """The environment with what notebooks.txt pins, below the cache, and the package."""
    return build.with_package(of_its_own("notebooks"))


def files() -> list[Path]:
    """The notebooks, in the lesson's order, and what they import."""
    return sorted((*FOLDER.glob("*.ipynb"), *FOLDER.glob("*.py")))


def train_models(folder: Path) -> None:
    """Put the models that notebooks read where they cannot train them into the folder."""
    program = (
        "import lesson_models, pathlib, sys\n"
        "for name in lesson_models.JOINS:\n"
        "    file = pathlib.Path(sys.argv[1], name).with_suffix('.model')\n"
        "    file.write_bytes(lesson_models.train(name))\n"
    )
    variables = cache.environment() | {"PYTHONPATH": str(FOLDER), "PYTHONDONTWRITEBYTECODE": "1"}
    with console.step("models of the notebooks"):
        command: list[str | Path] = [find_or_get().python, "-c", program, folder]
        console.run(command, log="lesson-models", env=variables)
