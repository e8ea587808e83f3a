"""Scripts that import the package: they run where it is installed, whichever Python starts them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from . import build, environment
from .stop import Stop


def needed(*modules: str) -> None:
    """Return where all of these can be imported, or start the script again where they can.

    That is the checkout's environment, .venv, in which the package is built first, if it is not
    there or is older than its sources. A script calls this when it knows its arguments.
    """
    if all(importlib.util.find_spec(module) for module in modules):
        return
    build.build(["python"])
    start_in(environment.find_or_get(), modules)


def needed_fresh(*modules: str) -> None:
    """As `needed`, but in .venv always, with what the sources are now."""
    build.build(["python"])
    venv = environment.find_or_get()
    if not _is_this(venv):
        start_in(venv, modules)


def start_in(venv: environment.Environment, modules: tuple[str, ...]) -> None:
    """Start the script with its arguments in an environment; its exit code is ours."""
    if _is_this(venv):
        missing = ", ".join(module for module in modules if not importlib.util.find_spec(module))
        raise Stop(f"{venv.folder} lacks {missing}: remove that folder, then start again.")
    raise SystemExit(subprocess.run([venv.python, *sys.argv], check=False).returncode)


def _is_this(venv: environment.Environment) -> bool:
    return Path(sys.prefix).resolve() == venv.folder.resolve()
