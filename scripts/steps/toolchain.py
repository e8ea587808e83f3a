"""The table of all tools and data: what was taken, and from where."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from . import (
    chromium,
    compiler_cache,
    compilers,
    console,
    emscripten,
    environment,
    flatbuffers,
    java,
    node,
    pyodide,
    pyodide_build,
    scale,
    test_data,
)
from .stop import Stop

# What a part found: its name, its version, where it came from, where it is.
Row = tuple[str, str, str, Path]


def main() -> int:
    """Find or get the parts named as arguments, or all of them."""
    start = time.monotonic()
    chosen = _arguments().parts or list(PARTS)
    rows, stops = collect(chosen)
    print_table(rows)
    for name, stop in stops.items():
        console.say(f"missing: {name}: {stop}")
    console.say(f"{len(rows)} found, {len(stops)} missing, {time.monotonic() - start:.1f} s")
    return 2 if stops else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/toolchain",
        description="Find or get the tools and data that the project is built and tested with. "
        "What is downloaded goes below the user's cache folder, but for .venv.",
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"all parts, or some of: {', '.join(PARTS)}"
    )
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are: {', '.join(PARTS)}")
    return arguments


def collect(parts: list[str]) -> tuple[list[Row], dict[str, Stop]]:
    """Go through the parts; one that is missing does not keep the others from being found."""
    rows: list[Row] = []
    stops: dict[str, Stop] = {}
    for part in parts:
        try:
            rows += PARTS[part]()
        except Stop as stop:
            stops[part] = stop
    return rows, stops


def print_table(rows: list[Row]) -> None:
    """Print the rows in columns as wide as they need."""
    lines = [[*row[:3], str(row[3])] for row in rows]
    widths = [max((len(line[column]) for line in lines), default=0) for column in range(3)]
    for line in lines:
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=False)]
        console.say("  ".join((*padded, line[3])))


def _environment() -> Iterator[Row]:
    found = environment.find_or_get()
    yield "environment", "", "requirements/dev.txt", found.python


def _compilers() -> Iterator[Row]:
    compiler = compilers.compiler()
    yield "c++", compiler.version, compiler.origin, compiler.executable
    tools = {
        "cmake": compilers.cmake,
        "ninja": compilers.ninja,
        "clang-format": compilers.clang_format,
    }
    for name, find in tools.items():
        tool = find()
        yield name, "", tool.origin, tool.executable
    found = compiler_cache.find_or_get()
    if found is not None:
        yield "ccache", found.version, "PATH", found.executable


def _node() -> Iterator[Row]:
    found = node.find_or_get()
    yield "node", found.version, found.origin, found.executable


def _flatbuffers() -> Iterator[Row]:
    found = flatbuffers.find_or_get()
    yield "flatc", found.version, found.origin, found.flatc
    yield "flatbuffers headers", found.version, found.origin, found.include


def _emscripten() -> Iterator[Row]:
    found = emscripten.find_or_get()
    yield "em++", found.version, found.origin, found.compiler


def _pyodide() -> Iterator[Row]:
    for version in pyodide.VERSIONS:
        yield "pyodide", version, "npm", pyodide.find_or_get(version)
    wheels = pyodide.test_wheels()
    yield "wheels for pyodide", f"{len(wheels)} wheels", "PyPI", wheels[0].parent


def _pyodide_build() -> Iterator[Row]:
    build = pyodide_build.build_environment()
    yield "pyodide-build", "", "requirements/pyodide-build.txt", build.python
    folder = pyodide_build.cross_build_environment()
    yield "cross-build environment", pyodide_build.TARGET, "made from npm's pyodide", folder


def _chromium() -> Iterator[Row]:
    found = chromium.find_or_get()
    yield "chromium", "", found.origin, found.executable


def _scale() -> Iterator[Row]:
    found = java.find_or_get()
    yield "java", found.version, found.origin, found.executable
    yield "ray and spark", "", "requirements/scale.txt", scale.find_or_get().python


def _test_data() -> Iterator[Row]:
    data = test_data.find_or_get()
    kinds = {"model": data.models, "tokenizer.json": data.tokenizers, "text": data.texts}
    for kind, files in kinds.items():
        for name, file in files.items():
            yield kind, "", name, file
    if data.missing:
        raise Stop("; ".join(f"{name}: {reason}" for name, reason in data.missing.items()))


PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "compilers": _compilers,
    "environment": _environment,
    "node": _node,
    "flatbuffers": _flatbuffers,
    "emscripten": _emscripten,
    "pyodide": _pyodide,
    "pyodide-build": _pyodide_build,
    "chromium": _chromium,
    "scale": _scale,
    "test-data": _test_data,
}
