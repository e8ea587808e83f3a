"""Emscripten: the compiler from C++ to WebAssembly, of any version from 3.1.69 on."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from . import apt, cache, compiler_cache, console, emscripten_debian12, node
from .stop import Stop

OLDEST = (3, 1, 69)
EMSDK_VERSION = "5.0.3"
EMSDK_ADDRESS = "https://github.com/emscripten-core/emsdk.git"
EMSDK_FOLDER = f"emsdk-{EMSDK_VERSION}"

# What every module of a runtime is compiled and linked with. No JavaScript of Emscripten's; a
# small memory to begin with, since each tokenizer has its own, and the stack at its low end,
# where overflowing it traps.
COMPILER_FLAGS = (
    "-std=c++20",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-msimd128",
    "-fvisibility=hidden",
    "-DNDEBUG",
)
LINKER_FLAGS = (
    "--no-entry",
    "-sSTANDALONE_WASM",
    "-sALLOW_MEMORY_GROWTH",
    "-sINITIAL_MEMORY=1MB",
    "-sMALLOC=emmalloc",
    "-Wl,--stack-first",
)


@dataclass(frozen=True)
class Emscripten:
    """The folder with em++ and its sisters, its version, and where it came from."""

    bin: Path
    version: str
    origin: str
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def compiler(self) -> Path:
        """The C++ compiler, em++."""
        return self.bin / ("em++.bat" if os.name == "nt" else "em++")

    def environment(self) -> dict[str, str]:
        """The environment for builds: the em* tools and Node on PATH, ccache before clang."""
        env = node.find_or_get().environment()
        env["PATH"] = os.pathsep.join((str(self.bin), env["PATH"]))
        return env | compiler_cache.variables() | self.variables


@functools.cache
def find_or_get() -> Emscripten:
    """The first Emscripten that is there, else the first that can be had."""
    for find in (_in_emsdk_variable, _on_path, _in_cached_emsdk, _in_cached_prefix):
        found = find()
        if found is not None:
            return found
    return _get()


def _get() -> Emscripten:
    reasons = []
    for get in (_get_emsdk, _get_from_apt, _get_for_debian12):
        try:
            return get()
        except Stop as stop:
            reasons.append(str(stop))
    oldest = ".".join(map(str, OLDEST))
    raise Stop(
        f"Emscripten is missing: install {oldest} or newer (emsdk is the usual way) and put em++ "
        "on PATH, or set EMSDK to emsdk's folder. What was tried: " + " ".join(reasons)
    )


def _in_emsdk_variable() -> Emscripten | None:
    folder = os.environ.get("EMSDK")
    return _in_emsdk(Path(folder), "$EMSDK") if folder else None


def _on_path() -> Emscripten | None:
    compiler = shutil.which("em++")
    return _at(Path(compiler).resolve().parent, "PATH") if compiler else None


def _in_cached_emsdk() -> Emscripten | None:
    folder = cache.root() / EMSDK_FOLDER
    if not cache.is_complete(folder, EMSDK_VERSION):
        return None
    return _in_emsdk(folder, "emsdk, below the cache")


def _in_cached_prefix() -> Emscripten | None:
    prefix = emscripten_debian12.prefix()
    if not emscripten_debian12.is_ready():
        return None
    # The configuration names the Node of the day it was written.
    variables = {"EM_NODE_JS": str(node.find_or_get().executable)}
    return _at(
        prefix / emscripten_debian12.TOOLS, "Debian 13's packages, below the cache", variables
    )


def _in_emsdk(folder: Path, origin: str) -> Emscripten | None:
    variables = {"EMSDK": str(folder), "EM_CONFIG": str(folder / ".emscripten")}
    return _at(folder / "upstream" / "emscripten", origin, variables)


def _at(folder: Path, origin: str, variables: dict[str, str] | None = None) -> Emscripten | None:
    """The Emscripten in a folder, if there is one and it is new enough."""
    version = _version(folder)
    if version < OLDEST:
        return None
    return Emscripten(folder, ".".join(map(str, version)), origin, variables or {})


def _version(folder: Path) -> tuple[int, ...]:
    """Read from the file beside em++: starting em++ for it would take a third of a second."""
    try:
        text = (folder / "emscripten-version.txt").read_text(encoding="utf-8")
    except OSError:
        text = _printed_version(folder / "em++")
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
    return tuple(map(int, found.groups())) if found else ()


def _printed_version(compiler: Path) -> str:
    try:
        return subprocess.run(
            [compiler, "--version"], capture_output=True, text=True, check=False
        ).stdout
    except OSError:
        return ""


def _found(find: Callable[[], Emscripten | None], what: str) -> Emscripten:
    emscripten = find()
    if emscripten is None:
        raise Stop(f"{what} gave no Emscripten of a version that can be used.")
    return emscripten


def _get_emsdk() -> Emscripten:
    """Untested where the project is developed: emsdk's storage cannot be reached from there."""
    if not _can_reach_emsdk():
        raise Stop("emsdk cannot be reached.")

    def install(folder: Path) -> None:
        with console.step(f"Emscripten {EMSDK_VERSION} from emsdk"):
            clone: list[str | Path] = ["git", "clone", "--depth=1", "--branch", EMSDK_VERSION]
            console.run([*clone, EMSDK_ADDRESS, folder], log="emsdk-clone")
            emsdk = folder / ("emsdk.bat" if os.name == "nt" else "emsdk")
            for action in ("install", "activate"):
                console.run([emsdk, action, EMSDK_VERSION], log=f"emsdk-{action}", cwd=folder)

    cache.made_in_place(EMSDK_FOLDER, EMSDK_VERSION, install)
    return _found(_in_cached_emsdk, "emsdk")


def _can_reach_emsdk() -> bool:
    if shutil.which("git") is None:
        return False
    env = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "ls-remote", "--exit-code", EMSDK_ADDRESS, "HEAD"]
    try:
        return (
            subprocess.run(command, capture_output=True, env=env, timeout=8, check=False).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def _get_from_apt() -> Emscripten:
    candidate = apt.candidate("emscripten")
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", candidate)
    if found is None or tuple(map(int, found.groups())) < OLDEST:
        raise Stop("apt has no Emscripten that is new enough.")
    with console.step(f"Emscripten {found[0]} from apt"):
        apt.install(["emscripten"])
    return _found(_on_path, "apt")


def _get_for_debian12() -> Emscripten:
    emscripten_debian12.get()
    return _found(_in_cached_prefix, "Debian 12's recipe")
