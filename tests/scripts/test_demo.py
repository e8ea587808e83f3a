"""The README's first command, but for what needs a person to look at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
FACES = ("native Python", "Node", "Chromium", "Pyodide")


def test_the_demo_finds_the_same_ids_everywhere() -> None:
    command = [sys.executable, CHECKOUT / "scripts" / "demo", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    for face in FACES:
        assert face in done.stdout
