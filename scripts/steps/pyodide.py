"""Pyodide: the three current lines, from npm, and micropip and pytest for them, from PyPI."""

from __future__ import annotations

import functools
from pathlib import Path

from . import node, pypi
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
    what = "micropip's and pytest's wheels for Pyodide"
    return pypi.pure_wheels("pyodide-test-wheels", requirements, OLDEST_PYTHON, what)
