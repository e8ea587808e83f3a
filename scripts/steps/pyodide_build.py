"""Builds wheels for Pyodide with pyodide-build, offline.

pyodide-build wants a cross-build environment, which is a download of its own. What it holds is
put together here: from npm's pyodide package and the headers of a Python of the same minor version.
One wheel serves all lines of Pyodide: the limited API keeps the module apart from their Pythons.
"""

from __future__ import annotations

import functools
import json
import os
import re
import runpy
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import cache, console, pyodide
from .emscripten import Emscripten
from .environment import REQUIREMENTS, Environment, install
from .stop import Stop

TARGET = "0.29.5"
PYTHON = "3.13"
REVISION = "3"
FLAGS = "-O3 -g0 -fwasm-exceptions -sSUPPORT_LONGJMP=wasm"
# Pyodide passes 64-bit integers as they are, and older Emscriptens split them in two unless told.
LINK_FLAGS = f"{FLAGS} -sWASM_BIGINT"
# pyodide-build ends a failure with its own frames, dimmed, which hide the compiler's message.
PYODIDE_BUILD_TRACEBACK = "\x1b[2mTraceback"
# Each line of Pyodide takes one of these, the oldest the first two; a wheel may carry all.
PLATFORM_TAGS = (
    "pyodide_2025_0_wasm32",
    "pyemscripten_2025_0_wasm32",
    "pyemscripten_2026_0_wasm32",
    "pyemscripten_2026_5_wasm32",
)
ALL_LINES = ".".join(PLATFORM_TAGS)
SYSCONFIG = "_sysconfigdata__emscripten_wasm32-emscripten"
MAKEFILE = """\
export PYVERSION = {python}
export PYMAJOR = {major}
export PYMINOR = {minor}
export PYMICRO = {micro}
export PYODIDE_EMSCRIPTEN_VERSION = {emscripten}
export PYODIDE_VERSION = {version}
export PYODIDE_ABI_VERSION = {abi}
export PLATFORM_TRIPLET = wasm32-emscripten
export SYSCONFIG_NAME = {sysconfig}
export CPYTHONINSTALL = $(PYODIDE_ROOT)/cpython/installs/python-{python}
export TARGETINSTALLDIR = $(CPYTHONINSTALL)
export SYSCONFIGDATA_DIR = $(CPYTHONINSTALL)/sysconfigdata
export PYTHONINCLUDE = $(CPYTHONINSTALL)/include/python{major}.{minor}
export PIP_CONSTRAINT = $(PYODIDE_ROOT)/tools/constraints.txt
export PYODIDE_ZIP_COMPRESSION_LEVEL = 6
export RUST_TOOLCHAIN = none
export CFLAGS_BASE = -fPIC {flags}
export CXXFLAGS_BASE = $(CFLAGS_BASE)
export LDFLAGS_BASE = {link_flags}
.output_vars:
\t@set
"""


@dataclass(frozen=True)
class Target:
    """The Pyodide to build for, as its own files describe it."""

    package: Path
    python: str
    abi: str
    emscripten: str

    @property
    def minor(self) -> str:
        """Such as 3.13."""
        return self.python.rpartition(".")[0]


def build_wheel(
    source: Path, out: Path, emscripten: Emscripten, cmake_options: Sequence[str] = ()
) -> Path:
    """Build the Python package in `source`; return its wheel, which all lines of Pyodide take."""
    environment = build_environment()
    root = cross_build_environment() / "xbuildenv" / "pyodide-root"
    draft = out / ".pyodide-wheel"
    cache.remove(draft)
    draft.mkdir(parents=True)
    options = ["--no-isolation", "--skip-dependency-check", "--exports", "pyinit"]
    command: list[str | Path] = [environment.program("pyodide"), "build", source, *options]
    variables = _variables(environment, emscripten, root)
    variables["SKBUILD_CMAKE_ARGS"] = ";".join(cmake_options)
    try:
        console.run(
            [*command, "--outdir", draft],
            log="pyodide-build",
            cwd=source,
            env=variables,
            noise_from=PYODIDE_BUILD_TRACEBACK,
        )
    finally:
        cache.remove(source / ".pyodide_build")
    wheel = retag(next(draft.glob("*.whl")), ALL_LINES)
    finished = wheel.replace(out / wheel.name)
    cache.remove(draft)
    return finished


def retag(wheel: Path, platform_tag: str) -> Path:
    """Put a copy with another platform tag beside a wheel; `.` joins several tags."""
    words = ["-m", "wheel", "tags", "--platform-tag", platform_tag, str(wheel)]
    printed = console.run([build_environment().python, *words], log="wheel-tags")
    return wheel.parent / printed.split()[-1]


def _variables(environment: Environment, emscripten: Emscripten, root: Path) -> dict[str, str]:
    env = emscripten.environment()
    programs = str(environment.python.parent)
    return env | {
        "PATH": os.pathsep.join((programs, env["PATH"])),
        "PYODIDE_ROOT": str(root),
        "PYODIDE_SKIP_EMSCRIPTEN_INSTALL": "1",
        "SKIP_EMSCRIPTEN_VERSION_CHECK": "1",
        # pyodide-build's own flags end with -Oz, which costs a fifth of the speed.
        "SIDE_MODULE_CFLAGS": f"-fPIC {FLAGS}",
        "SIDE_MODULE_CXXFLAGS": "",
        "SIDE_MODULE_LDFLAGS": f"{LINK_FLAGS} -sSIDE_MODULE=1",
    }


@functools.cache
def build_environment() -> Environment:
    """The virtual environment of pyodide-build, below the cache."""
    python = find_python()
    requirements = REQUIREMENTS / "pyodide-build.txt"

    def fill(folder: Path) -> None:
        with console.step(f"pyodide-build on Python {PYTHON}"):
            console.run([python, "-m", "venv", folder], log="pyodide-venv")
            install(Environment(folder), requirements)

    version = f"{python} {requirements.read_text(encoding='utf-8')}"
    return Environment(cache.made_in_place("pyodide-build", version, fill))


@functools.cache
def find_python() -> Path:
    """A Python of the target's minor version: pyodide-build runs on no other."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    candidates = [shutil.which(f"python{PYTHON}"), *pyenv.glob(f"{PYTHON}.*/bin/python{PYTHON}")]
    for candidate in (*candidates, _uv_python()):
        if candidate is not None and _runs(candidate):
            return Path(candidate)
    raise Stop(
        f"Python {PYTHON} is missing, which building for Pyodide needs: "
        f"install it with your system, pyenv or `uv python install {PYTHON}`."
    )


def _uv_python() -> str | None:
    if shutil.which("uv") is None:
        return None
    command = ["uv", "python", "find", "--no-python-downloads", PYTHON]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


def _runs(python: str | Path) -> bool:
    """A shim on PATH may stand for a Python that is not chosen."""
    command = [python, "-c", "import venv"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@functools.cache
def cross_build_environment() -> Path:
    """The folder that stands for pyodide-build's own download."""

    def fill(draft: Path) -> None:
        with console.step(f"cross-build environment of Pyodide {TARGET}"):
            _fill_cross_build_environment(draft / "xbuildenv")

    return cache.made_once(f"pyodide-xbuildenv-{TARGET}", REVISION, fill)


def _fill_cross_build_environment(folder: Path) -> None:
    target = _target()
    root = folder / "pyodide-root"
    python = root / "cpython" / "installs" / f"python-{target.python}"
    (folder / "site-packages-extras").mkdir(parents=True)
    (folder / "requirements.txt").touch()
    shutil.copytree(target.package, root / "dist")
    (root / "tools").mkdir()
    (root / "tools" / "constraints.txt").touch()
    (root / "package.json").write_text("{}\n", encoding="utf-8")
    (root / "Makefile.envs").write_text(_makefile(target), encoding="utf-8")
    variables = _write_sysconfigdata(target, python / "sysconfigdata")
    _write_headers(variables, python / "include" / f"python{target.minor}")


def _target() -> Target:
    package = pyodide.find_or_get(TARGET)
    lock = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    emscripten = lock["platform"].removeprefix("emscripten_").replace("_", ".")
    return Target(package, lock["python"], lock["abi_version"], emscripten)


def _makefile(target: Target) -> str:
    major, minor, micro = target.python.split(".")
    return MAKEFILE.format(
        python=target.python,
        major=major,
        minor=minor,
        micro=micro,
        emscripten=target.emscripten,
        version=TARGET,
        abi=target.abi,
        sysconfig=SYSCONFIG,
        flags=FLAGS,
        link_flags=LINK_FLAGS,
    )


def _write_sysconfigdata(target: Target, folder: Path) -> dict[str, object]:
    """Put the target's settings in their place, and return them."""
    folder.mkdir(parents=True)
    with zipfile.ZipFile(target.package / "python_stdlib.zip") as library:
        file = library.extract(f"{SYSCONFIG}.py", folder)
    variables: dict[str, object] = runpy.run_path(file)["build_time_vars"]
    return variables


def _write_headers(variables: Mapping[str, object], folder: Path) -> None:
    question = (
        "import sysconfig; print(sysconfig.get_path('include'), sysconfig.get_config_h_filename())"
    )
    printed = subprocess.run(
        [find_python(), "-c", question], capture_output=True, text=True, check=True
    ).stdout
    include, host_config = (Path(word) for word in printed.split())
    if not (include / "Python.h").is_file() or not host_config.is_file():
        raise Stop(
            f"Python {PYTHON} lacks its headers: install them (on Debian python{PYTHON}-dev)."
        )
    shutil.copytree(include, folder)
    config = _target_config(host_config.read_text(encoding="utf-8"), variables)
    (folder / "pyconfig.h").write_text(config, encoding="utf-8")


def _target_config(host: str, variables: Mapping[str, object]) -> str:
    """The host's pyconfig.h tells which macros there are, the target's variables their values."""

    def line(found: re.Match[str]) -> str:
        name = found[1]
        value = variables.get(name)
        return f"/* #undef {name} */" if value in (None, 0, "") else f"#define {name} {value}"

    return re.sub(r"^(?:#define|/\* #undef) (\w+).*$", line, host, flags=re.MULTILINE)
