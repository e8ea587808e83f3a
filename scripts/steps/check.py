"""Runs every check and test of the project; what is slower runs by the flags of pytest."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from . import build, compilers, console, environment, fuzz, node
from .environment import CHECKOUT

PYTHON = ("notebooks", "py", "scripts", "tests", "wasm", "web/scripts")
FUZZ_SECONDS = 60
TESTS = CHECKOUT / "tests"
# They wait for browsers, engines and interpreters, and take about as long as all the others.
PLATFORMS = {"browser", "npm", "pyodide", "scale"}


def main() -> int:
    """Build, then check, then test; arguments go to pytest."""
    parser = argparse.ArgumentParser(prog="scripts/test", description=__doc__)
    parser.add_argument("--only-checks", action="store_true", help="formatters, linters, types")
    parser.add_argument("pytest", nargs="*", metavar="ARGUMENT", help="passed on to pytest")
    arguments, options = parser.parse_known_args()
    passed_on = [*options, *arguments.pytest]
    if not passed_on:
        run_checks()
    if arguments.only_checks:
        return 0
    build.native(tests=True)
    build.build([part for part in build.PARTS if part != "native"])
    if not passed_on:
        run_cpp_tests()
        if fuzz.fuzz_all_anew(FUZZ_SECONDS):
            return 1
    return run_pytest(passed_on)


def run_checks() -> None:
    """The formatters, linters and type checkers of the three languages."""
    venv = environment.find_or_get()
    python = [*_existing(PYTHON), *_scripts()]
    cpp = sorted(
        file
        for folder in ("core", "py", "wasm/src")
        for ending in ("h", "cc")
        for file in (CHECKOUT / folder).rglob(f"*.{ending}")
    )
    _check("clang-format", [compilers.clang_format().executable, "--dry-run", "--Werror", *cpp])
    _check("ruff", [venv.program("ruff"), "check", "--no-cache", *python])
    _check("ruff format", [venv.program("ruff"), "format", "--check", "--no-cache", *python])
    _check("mypy", [venv.program("mypy"), *_existing(("py/spmlite", "scripts/steps"))])
    for folder in ("wasm", "web"):
        node.npm_ci(CHECKOUT / folder)
        command = [*node.find_or_get().npm, "run", "check"]
        _check(f"npm run check in {folder}", command, CHECKOUT / folder)


def _existing(folders: tuple[str, ...]) -> list[Path]:
    return [CHECKOUT / folder for folder in folders]


def _scripts() -> list[Path]:
    """Scripts without an ending, which no tool finds by itself."""
    files = sorted((CHECKOUT / "scripts").iterdir())
    return [path for path in files if path.is_file() and not path.suffix]


def _check(name: str, command: Sequence[str | Path], cwd: Path = CHECKOUT) -> None:
    with console.step(name):
        log = name.replace(" ", "-").replace("/", "-")
        env = node.find_or_get().environment()
        console.run(command, log=log, cwd=cwd, env=env)


def run_cpp_tests() -> None:
    """Everything that ctest knows."""
    ctest = compilers.cmake().executable.with_name("ctest")
    with console.step("C++ tests"):
        command: list[str | Path] = [ctest, "--test-dir", CHECKOUT / "build"]
        options = ["--output-on-failure", "--no-tests=error", "--parallel", "2"]
        printed = console.run([*command, *options], log="ctest")
    for line in printed.splitlines():
        if "tests passed" in line:
            console.say(f"  ctest: {line.strip()}")


def run_pytest(arguments: list[str]) -> int:
    """What pytest is told, or all of tests/: two halves at once, in the package's environment."""
    if arguments:
        return _start_pytest(arguments).wait()
    folders = {file.relative_to(TESTS).parts[0] for file in TESTS.glob("*/test_*.py")}
    others = [TESTS / folder for folder in sorted(folders - PLATFORMS)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        of_platforms = _start_pytest([TESTS / folder for folder in sorted(PLATFORMS)], output)
        code = _start_pytest(others).wait()
        console.say(f"  and of {', '.join(sorted(PLATFORMS))} ...")
        code_of_platforms = of_platforms.wait()
        output.seek(0)
        sys.stdout.write(output.read())
    return code or code_of_platforms


def _start_pytest(
    arguments: Sequence[str | Path], output: IO[str] | None = None
) -> subprocess.Popen[bytes]:
    venv = environment.find_or_get()
    command: list[str | Path] = [venv.python, "-m", "pytest", *arguments]
    stderr = subprocess.STDOUT if output is not None else None
    return subprocess.Popen(
        command, cwd=CHECKOUT, env=venv.variables(), stdout=output, stderr=stderr
    )
