"""Runs what the tests of the npm package need: Node, npm, and what npm installs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from steps import node

SECONDS = 300


def run_tool(*command: Path | str, cwd: Path, seconds: int = SECONDS) -> str:
    """Run a program with the project's Node on PATH; gives what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=node.find_or_get().environment() | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    return output
