"""The virtual environment of the checkout, .venv, with pinned packages."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import cache, console, pypi

CHECKOUT = Path(__file__).resolve().parents[2]
REQUIREMENTS = CHECKOUT / "scripts" / "requirements"
PROGRAMS = "Scripts" if os.name == "nt" else "bin"


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.program("python")

    def program(self, name: str) -> Path:
        """One of its commands."""
        return self.folder / PROGRAMS / (f"{name}.exe" if os.name == "nt" else name)

    def variables(self) -> dict[str, str]:
        """The environment in which its commands come first."""
        env = cache.environment()
        path = os.pathsep.join((str(self.folder / PROGRAMS), env.get("PATH", "")))
        return env | {"VIRTUAL_ENV": str(self.folder), "PATH": path}


@functools.cache
def find_or_get() -> Environment:
    """The checkout's environment, with what dev.txt pins."""
    environment = Environment(CHECKOUT / ".venv")
    add("dev")
    return environment


def add(requirements: str) -> None:
    """Install what a file of scripts/requirements pins into .venv, unless that was done already."""
    environment = Environment(CHECKOUT / ".venv")
    file = REQUIREMENTS / f"{requirements}.txt"
    stamp = environment.folder / f".{requirements}"
    version = fingerprint(file)
    if is_installed(environment, stamp, version):
        return
    with cache.lock(f"environment-{hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:8]}"):
        if is_installed(environment, stamp, version):
            return
        if not _starts(environment.python):
            create(environment, Path(sys.executable))
        with console.step(f"Python packages of {file.name}"):
            install(environment, file)
        stamp.mkdir(exist_ok=True)
        cache.mark_complete(stamp, version)


def of_its_own(name: str, sources: Sequence[str] = ()) -> Environment:
    """An environment below the cache, with what `name`.txt of scripts/requirements pins.

    For what is too large for .venv, or must not stand beside what is in there.
    """
    requirements = REQUIREMENTS / f"{name}.txt"

    def fill(folder: Path) -> None:
        with console.step(f"Python packages of {requirements.name}"):
            create(Environment(folder), Path(sys.executable))
            install(Environment(folder), requirements, sources)

    version = f"{sys.version} {requirements.read_text(encoding='utf-8')}"
    return Environment(cache.made_in_place(name, version, fill))


def is_installed(environment: Environment, stamp: Path, version: str) -> bool:
    """Whether the stamp says so and the environment's Python is still there."""
    return cache.is_complete(stamp, version) and environment.python.exists()


def fingerprint(file: Path) -> str:
    """Changes with the pins and with the Python they are installed for."""
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{version} {hashlib.sha256(file.read_bytes()).hexdigest()}"


def create(environment: Environment, python: Path) -> None:
    """Make the environment anew."""
    pypi.pip()
    cache.remove(environment.folder)
    console.run([python, "-m", "venv", environment.folder], log="venv")


def install(environment: Environment, file: Path, sources: Sequence[str] = ()) -> None:
    """Install pinned packages; the file names every dependency, so pip need not look for more.

    `sources` are those that PyPI has no wheels of, to be built here.
    """
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    options += [f"--no-binary={name}" for name in sources]
    command: list[str | Path] = [
        environment.python,
        "-m",
        "pip",
        "install",
        *options,
        "--requirement",
        file,
    ]
    console.run(command, log="pip-install")


def install_wheel(environment: Environment, wheel: Path) -> None:
    """Install one wheel that was made here, in place of the one that may be there."""
    options = ["--quiet", "--no-deps", "--no-index", "--force-reinstall"]
    console.run(
        [environment.python, "-m", "pip", "install", *options, wheel], log="pip-install-wheel"
    )


def _starts(python: Path) -> bool:
    """An environment outlives neither a move of the checkout nor the removal of its Python."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False
