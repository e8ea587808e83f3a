"""Runs every check and test of the project; what is slower runs by the flags of pytest."""

from __future__ import annotations

import argparse
import functools
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from . import (
    build,
    compiler_cache,
    compilers,
    console,
    cpp_tests,
    emscripten,
    environment,
    flatbuffers,
    fuzz,
    jobs,
    node,
)
from .environment import CHECKOUT
from .jobs import Job

PYTHON = ("notebooks", "py", "scripts", "tests", "wasm", "web/scripts")
FUZZ_SECONDS = 60
TESTS = CHECKOUT / "tests"
# Those that take longer than a fuzz target, the longest first; the others are what fills the end.
LONGEST = (
    "browser",
    "npm",
    "python",
    "formats",
    "scale",
    "pyodide",
    "parity",
    "packaging",
)
# One more than there are processors, since builds, browsers and interpreters wait now and then.
AT_ONCE = (os.cpu_count() or 1) + 1


def main() -> int:
    """Build, check and test; arguments go to pytest."""
    usage = "scripts/test [-h] [--only-checks] [what pytest is told ...]"
    parser = argparse.ArgumentParser(prog="scripts/test", usage=usage, description=__doc__)
    parser.add_argument("--only-checks", action="store_true", help="formatters, linters, types")
    arguments, passed_on = parser.parse_known_args()
    if arguments.only_checks:
        run_checks()
        return 0
    if passed_on:
        build.native(tests=True)
        build.build([part for part in build.PARTS if part != "native"])
        return subprocess.run(_pytest(passed_on), cwd=CHECKOUT, env=_variables()).returncode
    get_tools()
    failed = jobs.run_all(all_jobs(), AT_ONCE)
    if failed:
        console.say(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def get_tools() -> None:
    """Find or get, one after the other, the tools that several jobs use."""
    node.find_or_get()
    for tool in (compilers.cmake, compilers.ninja, compilers.compiler, compilers.fuzzing_compiler):
        tool()
    compilers.doctest()
    compiler_cache.find_or_get()
    flatbuffers.find_or_get()
    emscripten.find_or_get()


def all_jobs() -> list[Job]:
    """Builds, checks and tests, in the order in which they had best begin."""
    parts = {name: functools.partial(build.build, [name]) for name in build.PARTS}
    parts["native"] = functools.partial(build.native, tests=True)
    needs = {"python": ("environment",), "web": ("python", "wasm")}
    builds = [_job(name, part, needs.get(name, ())) for name, part in parts.items()]
    fuzzing = [
        Job(f"fuzz target {name}", functools.partial(_fuzz, name), ("fuzz targets",))
        for name in fuzz.TARGETS
    ]
    tests = [
        Job(f"tests/{folder}", functools.partial(run_folder, folder), tuple(build.PARTS))
        for folder in folders()
    ]
    return [
        _job("environment", environment.find_or_get),
        _job("checks", run_checks, ("environment",)),
        *builds,
        _job("C++ tests", run_cpp_tests, ("native",)),
        _job("C++ tests under sanitizers", run_sanitized_tests, ("native",)),
        _job("fuzz targets", fuzz.prepare_anew, ("environment", "native")),
        *tests[: len(LONGEST)],
        *fuzzing,
        *tests[len(LONGEST) :],
    ]


def _job(name: str, run: Callable[[], object], needs: tuple[str, ...] = ()) -> Job:
    """One that goes well, or ends in a Stop."""

    def run_it() -> bool:
        run()
        return True

    return Job(name, run_it, needs)


def _fuzz(name: str) -> bool:
    return fuzz.fuzz_anew(name, FUZZ_SECONDS) == 0


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


def run_sanitized_tests() -> None:
    """The C++ tests, the hostile files among them, under the sanitizers."""
    program = build.sanitized_tests()
    with console.step("C++ tests under sanitizers"):
        printed = console.run([program], log="core_tests-sanitized", env=cpp_tests.variables())
    for line in cpp_tests.counts(printed):
        console.say(f"  sanitized: {line.removeprefix('[doctest]').strip()}")


def folders() -> list[str]:
    """Those of tests/, the longest first."""
    found = {file.relative_to(TESTS).parts[0] for file in TESTS.glob("*/test_*.py")}
    return [*(folder for folder in LONGEST if folder in found), *sorted(found - set(LONGEST))]


def run_folder(folder: str) -> bool:
    """Run the tests of a folder; what pytest says follows when it has ended."""
    with console.step(f"tests/{folder}"):
        done = subprocess.run(
            _pytest([TESTS / folder]),
            cwd=CHECKOUT,
            env=_variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    console.say(done.stdout.decode(errors="replace"))
    return done.returncode == 0


def _pytest(arguments: Sequence[str | Path]) -> list[str | Path]:
    return [environment.find_or_get().python, "-m", "pytest", *arguments]


def _variables() -> dict[str, str]:
    """The package's environment."""
    return environment.find_or_get().variables()
