"""Pyodide: the three current lines, from npm, and micropip and pytest for them, from PyPI."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from . import cache, console, node, pypi
from .environment import REQUIREMENTS

INTEGRITY = {
    "0.29.5": (
        "sha512-TkYrUv9m8QmfImADKRmpwZulL48E0uUaBSO+dvRQ"
        "KyAJc0qh9gu7jn8btyHPh3NZm1r2IH2YrJhIr7Q2B9urAw=="
    ),
    "314.0.7": (
        "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pO"
        "ttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
    ),
    "315.0.0-alpha.2": (
        "sha512-t2S0rr9u1B2XHfooqGbOPT7EelM3kWkj1pJBgtVC"
        "n9Am6a1ByuU5FPq0wJHeapgyUM+r8MTx/1YRTXo3DaG2KA=="
    ),
}
VERSIONS = tuple(INTEGRITY)
OLDEST_PYTHON = "3.13"


@functools.cache
def find_or_get(version: str) -> Path:
    """The folder of npm's pyodide package: pyodide.mjs, the interpreter and its library."""
    return node.package("pyodide", version, INTEGRITY[version])


@functools.cache
def test_wheels() -> list[Path]:
    """The pure wheels that tests need inside Pyodide: micropip, pytest, and what they ask for."""
    requirements = REQUIREMENTS / "pyodide-test.txt"

    def fetch(draft: Path) -> None:
        with console.step("micropip's and pytest's wheels for Pyodide"):
            pypi.download(requirements, draft, python=OLDEST_PYTHON)

    version = hashlib.sha256(requirements.read_bytes()).hexdigest()
    return sorted(cache.made_once("pyodide-test-wheels", version, fetch).glob("*.whl"))
