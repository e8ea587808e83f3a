"""ccache: what was compiled once, in whatever checkout, is not compiled again.

Builds of ours ask it before each compiler: CMake's, those of Emscripten, and so the wheels. Users'
builds are theirs: no CMakeLists.txt knows of it. Its answers are the compiler's own objects, found
by the bytes of the sources and never by their times. Linking is not cached.

A build that is to prove something is made without it: scripts/release sets CCACHE_DISABLE, since
a second build out of the first one's objects would be the same whatever the compiler does.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import apt, cache, console
from .environment import CHECKOUT
from .stop import Stop

LANGUAGES = ("C", "CXX")
LARGEST = "2G"
# Debian's clang is a small program over a library that its digest knows nothing of; what it says
# of itself names Debian's revision, and so does what g++ says.
COMPILER_IS = "%compiler% --version"


@dataclass(frozen=True)
class CompilerCache:
    """A ccache."""

    executable: Path
    version: str


@functools.cache
def find_or_get() -> CompilerCache | None:
    """The one on PATH, else apt's, else none: then everything is compiled."""
    if os.environ.get("CCACHE_DISABLE") or os.name == "nt":
        return None
    found = _find()
    if found is None and apt.can_install() and apt.candidate("ccache"):
        try:
            with console.step("ccache from apt"):
                apt.install(["ccache"])
        except Stop:
            pass  # it only saves time
        found = _find()
    if found is None:
        console.say("  no ccache here: everything is compiled anew")
    return found


def _find() -> CompilerCache | None:
    executable = shutil.which("ccache")
    if executable is None:
        return None
    command = [executable, "--version"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+\.\d+(\.\d+)?", output)
    return CompilerCache(Path(executable), found[0]) if found else None


def variables() -> dict[str, str]:
    """What tells it, and Emscripten of it; what the caller's environment says instead holds."""
    found = find_or_get()
    if found is None:
        return {}
    ours = {
        # Of another checkout, the same sources are the same.
        "CCACHE_BASEDIR": str(CHECKOUT),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_COMPILERCHECK": COMPILER_IS,
        "CCACHE_DIR": str(cache.root() / "ccache"),
        "CCACHE_MAXSIZE": LARGEST,
        "EM_COMPILER_WRAPPER": str(found.executable),
    }
    return {name: os.environ.get(name, value) for name, value in ours.items()}


def cmake_options() -> list[str]:
    """What tells CMake of it; in a folder that was built with it, also that it is gone."""
    words = ";".join(launcher())
    return [f"-DCMAKE_{language}_COMPILER_LAUNCHER={words}" for language in LANGUAGES]


def launcher() -> list[str]:
    """The words to put before a compiler that is called without CMake; none without it."""
    found = find_or_get()
    return [str(found.executable)] if found else []
