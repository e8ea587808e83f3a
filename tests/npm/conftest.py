"""The npm package as scripts/build leaves it, and the Node that runs it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from steps import node

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "wasm"
SECONDS = 600

Run = Callable[..., str]


@pytest.fixture(scope="session")
def package() -> Path:
    """The package's folder."""
    if not (PACKAGE / "dist" / "spmlite.wasm").exists():
        pytest.skip("there is no wasm/dist/: scripts/build makes it")
    return PACKAGE


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs `node` or `npm` with arguments, in a folder; gives what it printed."""
    found = node.find_or_get()
    programs = {"node": (str(found.executable),), "npm": found.npm}

    def run_program(program: str, *arguments: str | Path, cwd: Path) -> str:
        done = subprocess.run(
            [*programs[program], *map(str, arguments)],
            cwd=cwd,
            env=found.environment(),
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        output = done.stdout + done.stderr
        assert done.returncode == 0, output
        return output

    return run_program
