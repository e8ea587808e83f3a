"""The wheel for Pyodide, each current line of Pyodide, and Node to run it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from steps import node, pyodide  # noqa: E402
from steps.stop import Stop  # noqa: E402

RunNode = Callable[..., str]


@pytest.fixture(scope="session")
def wheel() -> Path:
    wheels = sorted((CHECKOUT / "dist" / "pyodide").glob("*.whl"))
    if not wheels:
        pytest.skip("there is no dist/pyodide/*.whl: scripts/build makes it")
    return wheels[-1]


@pytest.fixture(scope="session", params=pyodide.VERSIONS)
def folder(request: pytest.FixtureRequest) -> Path:
    """npm's Pyodide of one version."""
    try:
        return pyodide.find_or_get(request.param)
    except Stop as stop:
        pytest.skip(f"Pyodide {request.param} is not there: {stop}")


@pytest.fixture(scope="session")
def helper_wheels() -> dict[str, Path]:
    """micropip, pytest and what they and the package ask for, by name."""
    try:
        found = pyodide.test_wheels()
    except Stop as stop:
        pytest.skip(str(stop))
    return {path.name.partition("-")[0]: path for path in found}


@pytest.fixture(scope="session")
def run_node() -> RunNode:
    """Runs a script of this folder; gives what it printed."""

    def run(script: str, *arguments: Path | str) -> str:
        found = node.find_or_get()
        done = subprocess.run(
            [found.executable, HERE / script, *arguments],
            env=found.environment(),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
