"""Builds every part of the project, each only when what it is made from has changed."""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

from . import (
    cache,
    compiler_cache,
    compilers,
    console,
    emscripten,
    environment,
    flatbuffers,
    node,
    pyodide_build,
)
from .environment import CHECKOUT
from .sources import fingerprint, when_changed
from .stop import Stop

CORE = ("CMakeLists.txt", "cmake", "core")
PAPERS = ("LICENSE", "NOTICE")
PACKAGE = (*CORE, "py", "pyproject.toml", "LICENSES", *PAPERS)
NPM = ("core", "wasm", "LICENSES", *PAPERS)
WHEELS = CHECKOUT / "dist" / "python"
SITE = (*NPM, "web", "notebooks", "scripts/steps/test_data.py")


def main() -> int:
    """Build the parts named as arguments, or all of them."""
    parser = argparse.ArgumentParser(prog="scripts/build", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"all parts, or some of: {', '.join(PARTS)}"
    )
    parts = parser.parse_args().parts
    for part in parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are: {', '.join(PARTS)}")
    build(parts or list(PARTS))
    return 0


def build(parts: list[str]) -> None:
    """Build the parts, in the order in which they need one another."""
    for name, make in PARTS.items():
        if name in parts:
            make()


def native(*, tests: bool = False) -> None:
    """The static libraries and the tools, in build/."""
    folder = CHECKOUT / "build"
    options = [f"-DSPMLITE_BUILD_TESTS={'ON' if tests else 'OFF'}"]
    if tests:
        options.append(f"-DSPMLITE_DOCTEST_INCLUDE={compilers.doctest()}")
    version = fingerprint(*CORE)
    tool = folder / ("spm_bench.exe" if (folder / "spm_bench.exe").exists() else "spm_bench")

    def make() -> None:
        with console.step("native library and tools"):
            _cmake(folder, options)

    when_changed("native-tests" if tests else "native", version, tool, make)


def sanitized_tests() -> Path:
    """The program with the C++ tests, under the address and undefined sanitizers."""
    folder = CHECKOUT / "build" / "sanitized"
    options = [
        "-DSPMLITE_SANITIZE=ON",
        "-DSPMLITE_BUILD_TESTS=ON",
        f"-DSPMLITE_DOCTEST_INCLUDE={compilers.doctest()}",
    ]
    program = folder / "core" / "tests" / "core_tests"

    def make() -> None:
        with console.step("C++ tests with sanitizers"):
            _cmake(folder, options, "core_tests")

    when_changed("sanitized-tests", fingerprint(*CORE), program, make)
    return program


def _cmake(folder: Path, options: list[str], target: str = "all") -> None:
    """Configure the project in a folder, and build a target there."""
    log = "cmake" if folder.name == "build" else f"cmake-{folder.name}"
    configure: list[str | Path] = [
        compilers.cmake().executable,
        *("-S", CHECKOUT, "-B", folder, "-G", "Ninja"),
        f"-DCMAKE_MAKE_PROGRAM={compilers.ninja().executable}",
        f"-DCMAKE_CXX_COMPILER={compilers.compiler().executable}",
        *options,
        *flatbuffers_options(),
        *compiler_cache.cmake_options(),
    ]
    console.run(configure, log=log)
    command: list[str | Path] = [compilers.cmake().executable, "--build", folder]
    variables = cache.environment() | compiler_cache.variables()
    console.run([*command, "--target", target], log=f"{log}-build", env=variables)


def flatbuffers_options() -> list[str]:
    """Where CMake finds FlatBuffers."""
    found = flatbuffers.find_or_get()
    return [
        f"-DSPMLITE_FLATC={found.flatc}",
        f"-DSPMLITE_FLATBUFFERS_INCLUDE={found.include}",
    ]


def python() -> None:
    """The Python package: its wheel in dist/python/, which is also installed into .venv."""
    venv = environment.find_or_get()

    def make() -> None:
        with console.step("Python package"):
            cmake_options = [*flatbuffers_options(), *compiler_cache.cmake_options()]
            variables = venv.variables() | compiler_cache.variables()
            variables["SKBUILD_CMAKE_ARGS"] = ";".join(cmake_options)
            draft = WHEELS.with_name(".python")
            cache.remove(draft)
            options = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir"]
            command: list[str | Path] = [venv.python, "-m", "pip", "wheel", *options]
            console.run([*command, draft, CHECKOUT], log="pip-wheel", env=variables)
            cache.remove(WHEELS)
            draft.rename(WHEELS)
            environment.install_wheel(venv, wheel())

    when_changed("python", fingerprint(*PACKAGE), venv.program("spmlite"), make)


def wheel() -> Path:
    """The wheel that `python` has made."""
    for found in WHEELS.glob("*.whl"):
        return found
    raise Stop("there is no dist/python/*.whl: remove build/stamps/python, then `scripts/build`.")


def with_package(other: environment.Environment) -> environment.Environment:
    """Another environment, with the wheel that `python` has made."""
    made = wheel()
    stamp = other.folder / ".spmlite"
    version = hashlib.sha256(made.read_bytes()).hexdigest()
    if not cache.is_complete(stamp, version):
        with cache.lock(f"{other.folder.name}-package"):
            environment.install_wheel(other, made)
            stamp.mkdir(exist_ok=True)
            cache.mark_complete(stamp, version)
    return other


def wasm() -> None:
    """The WebAssembly modules and the npm package, in wasm/dist/."""

    def make() -> None:
        with console.step("npm package"):
            console.run([sys.executable, CHECKOUT / "wasm" / "build.py"], log="wasm")

    emscripten.find_or_get()
    version = fingerprint(*NPM)
    when_changed("wasm", version, CHECKOUT / "wasm" / "dist" / "spmlite.wasm", make)


def web() -> None:
    """The site, in web/dist/."""
    python()
    wasm()

    def make() -> None:
        with console.step("demo models"):
            trainer = CHECKOUT / "web" / "scripts" / "train_demo.py"
            console.run([environment.find_or_get().python, trainer], log="train-demo")
        site = CHECKOUT / "web"
        node.npm_ci(site)
        found = node.find_or_get()
        with console.step("site"):
            command = [*found.npm, "run", "build"]
            console.run(command, log="npm-web", cwd=site, env=found.environment())

    when_changed("web", fingerprint(*SITE), CHECKOUT / "web" / "dist" / "index.html", make)


def pyodide() -> None:
    """The wheel for Pyodide, in dist/pyodide/."""
    folder = CHECKOUT / "dist" / "pyodide"

    def make() -> None:
        compiler = emscripten.find_or_get()
        with console.step("wheel for Pyodide"):
            for old in folder.glob("*.whl"):
                old.unlink()
            pyodide_build.build_wheel(CHECKOUT, folder, compiler, flatbuffers_options())

    when_changed("pyodide", fingerprint(*PACKAGE), folder, make)


def amalgamation() -> None:
    """The C++ in files that need nothing else, in dist/: anew each time, in half a second."""
    with console.step("amalgamation"):
        console.run([sys.executable, CHECKOUT / "scripts" / "amalgamate.py"], log="amalgamate")


PARTS = {
    "native": native,
    "python": python,
    "wasm": wasm,
    "web": web,
    "pyodide": pyodide,
    "amalgamation": amalgamation,
}
