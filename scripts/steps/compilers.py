"""The C++20 compiler and the build tools: CMake, Ninja and clang-format."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import apt, console, environment
from .stop import Stop

OLDEST_CMAKE = (3, 20)
OLDEST_GCC = 11
OLDEST_CLANG = 14
NAMES = ("c++", "g++", "clang++", "clang++-19")
# Debian's versions of clang, the one that Emscripten brings along first.
CLANGS = (19, 16, 14)
# Where Linux, Homebrew and MacPorts put headers.
INCLUDES = ("/usr/include", "/usr/local/include", "/opt/homebrew/include", "/opt/local/include")


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler that knows C++20."""

    executable: Path
    version: str
    origin: str


@dataclass(frozen=True)
class Tool:
    """A build tool."""

    executable: Path
    origin: str


@functools.cache
def compiler() -> Compiler:
    """The one in CXX or on PATH, else apt's g++."""
    found = _find_compiler()
    if found is None and apt.can_install():
        with console.step("g++ from apt"):
            apt.install(["g++"])
        found = _find_compiler()
    if found is None:
        raise Stop(
            f"A C++20 compiler is missing: install g++ {OLDEST_GCC}, clang++ {OLDEST_CLANG} "
            "or newer (on Windows: Visual Studio's), or name one in CXX."
        )
    return found


def _find_compiler() -> Compiler | None:
    for name in filter(None, (os.environ.get("CXX"), *NAMES)):
        executable = shutil.which(name)
        version = _version(executable) if executable else ""
        if executable and version:
            return Compiler(Path(executable), version, "CXX" if name not in NAMES else "PATH")
    if os.name == "nt":  # CMake finds Visual Studio's compiler, which is not on PATH
        return Compiler(Path("cl"), "of Visual Studio", "CMake")
    return None


def _version(executable: str) -> str:
    """What the compiler calls itself, or an empty string when it is too old."""
    command = [executable, "--version"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.\d+\.\d+", output)
    is_clang = "clang" in output
    oldest = OLDEST_CLANG if is_clang else OLDEST_GCC
    if found is None or int(found[1]) < oldest:
        return ""
    return f"{'clang' if is_clang else 'gcc'} {found[0]}"


@functools.cache
def fuzzing_compiler() -> Compiler:
    """A clang++ that has libFuzzer and the sanitizers, else apt's."""
    found = _find_fuzzing_compiler()
    if found is None and apt.can_install():
        version = next((v for v in CLANGS if apt.candidate(f"libclang-rt-{v}-dev")), None)
        if version is not None:
            with console.step(f"clang-{version} with libFuzzer from apt"):
                apt.install([f"clang-{version}", f"libclang-rt-{version}-dev"])
            found = _find_fuzzing_compiler()
    if found is None:
        raise Stop(
            "A clang++ with libFuzzer is missing: install clang and its runtime library "
            "(Debian: clang-19 and libclang-rt-19-dev), or name one in CXX."
        )
    return found


def _find_fuzzing_compiler() -> Compiler | None:
    for name in filter(None, (os.environ.get("CXX"), "clang++", *(f"clang++-{v}" for v in CLANGS))):
        executable = shutil.which(name)
        version = _version(executable) if executable else ""
        if executable and version and _has_fuzzer(executable):
            return Compiler(Path(executable), version, "PATH")
    return None


def _has_fuzzer(executable: str) -> bool:
    """Whether a fuzz target can be linked."""
    source = 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }'
    options = ["-fsanitize=fuzzer,address,undefined", "-x", "c++", "-", "-o", os.devnull]
    return (
        subprocess.run(
            [executable, *options], input=source, text=True, capture_output=True, check=False
        ).returncode
        == 0
    )


@functools.cache
def doctest() -> Path:
    """The folder that holds doctest/doctest.h: the system's, else apt's."""
    found = _find_doctest()
    if found is None and apt.can_install():
        with console.step("doctest from apt"):
            apt.install(["doctest-dev"])
        found = _find_doctest()
    if found is None:
        raise Stop(
            "doctest is missing, which the C++ tests are written with: install it "
            "(Debian: doctest-dev), or name the folder above doctest/doctest.h in CPATH."
        )
    return found


def _find_doctest() -> Path | None:
    named = os.environ.get("CPATH", "").split(os.pathsep)
    folders = map(Path, (*filter(None, named), *INCLUDES))
    return next((folder for folder in folders if (folder / "doctest" / "doctest.h").exists()), None)


@functools.cache
def cmake() -> Tool:
    """CMake from PATH, else the one in .venv."""
    executable = shutil.which("cmake")
    if executable is not None:
        command = [executable, "--version"]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        found = re.search(r"(\d+)\.(\d+)\.\d+", output)
        if found is not None and (int(found[1]), int(found[2])) >= OLDEST_CMAKE:
            return Tool(Path(executable), "PATH")
    return _of_environment("cmake")


@functools.cache
def ninja() -> Tool:
    """Ninja from PATH, else the one in .venv."""
    executable = shutil.which("ninja")
    return Tool(Path(executable), "PATH") if executable else _of_environment("ninja")


@functools.cache
def clang_format() -> Tool:
    """Always the one in .venv: other versions format otherwise."""
    return _of_environment("clang-format")


def _of_environment(name: str) -> Tool:
    return Tool(environment.find_or_get().program(name), ".venv")
