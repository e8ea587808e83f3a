"""What the scripts leave in the checkout is nothing that git would show."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
LEFT = (
    ".venv/bin/python",
    "build/spm_bench",
    "dist/python/a.whl",
    "dist/python/a.whl.cdx.json",
    "dist/pyodide/a.whl",
    "wasm/dist/spmlite.wasm",
    "web/dist/index.html",
    "web/dist.cdx.json",
    "wasm/spmlite-0.1.0.tgz.cdx.json",
    "web/node_modules/vite/package.json",
    "core/generated.cdx.json",
)


def test_git_does_not_show_what_is_made() -> None:
    if shutil.which("git") is None or not (CHECKOUT / ".git").exists():
        pytest.skip("this is no checkout of git's")
    command = ["git", "check-ignore", "--no-index", *LEFT]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == list(LEFT)
