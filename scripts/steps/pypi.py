"""Single files from PyPI with pinned digests, and the pip that gets them."""

from __future__ import annotations

import functools
import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import apt, cache, console
from .stop import Stop


@dataclass(frozen=True)
class Pin:
    """One version of a package and the SHA-256 digests of the files that may be taken for it."""

    name: str
    version: str
    sha256: tuple[str, ...]

    def requirement(self) -> str:
        """The pin as a line of a requirements file."""
        return f"{self.name}=={self.version} " + " ".join(f"--hash=sha256:{d}" for d in self.sha256)


@functools.cache
def pip() -> tuple[str, ...]:
    """The words that start pip, which Debian leaves out of its Python."""
    command = (sys.executable, "-m", "pip")
    if not _works(command):
        if not apt.can_install():
            raise Stop(f"{sys.executable} has no pip: install it (on Debian `python3-pip`).")
        with console.step("pip from Debian's packages"):
            apt.install(["python3-pip", "python3-venv"])
    return command


def _works(command: Sequence[str]) -> bool:
    return subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0


def wheels(pins: Sequence[Pin], folder: Path) -> list[Path]:
    """Download one wheel for each pin into a folder."""
    requirements = folder / "requirements.txt"
    lines = "\n".join(pin.requirement() for pin in pins)
    requirements.write_text(lines + "\n", encoding="utf-8")
    download(requirements, folder)
    requirements.unlink()
    return sorted(folder.glob("*.whl"))


def download(requirements: Path, folder: Path, python: str = "") -> None:
    """Download the wheels that a file of requirements with digests names.

    Where `python` is given, pure ones, for that version of Python instead of this one.
    """
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    if python:
        options += ["--python-version", python, "--platform", "any"]
    command: list[str | Path] = [*pip(), "download", *options, "--requirement", requirements]
    console.run([*command, "--dest", folder], log="pip-download")


def pure_wheels(name: str, requirements: Path, python: str, what: str) -> list[Path]:
    """The pure wheels that a file of requirements names, below the cache by a name."""

    def fetch(draft: Path) -> None:
        with console.step(what):
            download(requirements, draft, python)

    version = hashlib.sha256(requirements.read_bytes()).hexdigest()
    return sorted(cache.made_once(name, version, fetch).glob("*.whl"))


def source(pin: Pin, folder: Path) -> Path:
    """Download the source archive of a package; pip asks the package itself for its metadata."""
    requirements = folder / "requirements.txt"
    requirements.write_text(pin.requirement() + "\n", encoding="utf-8")
    options = ["--quiet", "--no-deps", "--require-hashes", f"--no-binary={pin.name}"]
    command: list[str | Path] = [*pip(), "download", *options, "--requirement", requirements]
    console.run([*command, "--dest", folder], log="pip-download")
    requirements.unlink()
    return next(folder.glob("*.tar.gz"))


def unpacked_wheel(pin: Pin) -> Path:
    """The folder of a wheel's files, below the cache."""

    def fetch(draft: Path) -> None:
        with console.step(f"PyPI's {pin.name} {pin.version}"):
            for wheel in wheels([pin], draft):
                _unpack(wheel, draft)
                wheel.unlink()

    return cache.made_once(f"pypi-packages/{pin.name}-{pin.version}", pin.requirement(), fetch)


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            file = Path(archive.extract(member, folder))
            mode = member.external_attr >> 16
            if mode and not member.is_dir():
                file.chmod(mode & 0o777)
