"""Debian's packages: what this system can install, and single files out of a later suite."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from . import cache, console
from .stop import Stop

# Another script may be installing at the same time: wait for it.
WAIT = "-oDPkg::Lock::Timeout=600"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def is_here() -> bool:
    """Whether this is a system with apt."""
    return shutil.which("apt-get") is not None and shutil.which("apt-cache") is not None


@functools.cache
def can_install() -> bool:
    """Whether packages can be installed without asking for a password."""
    return is_here() and _privilege() is not None


def install(packages: Sequence[str]) -> None:
    """Install Debian packages; the package lists are read anew only when they are too old."""
    command = ["apt-get", WAIT, "install", "-y", "--no-install-recommends", *packages]
    try:
        _run_privileged(command, "apt-install")
    except Stop:
        refresh()
        _run_privileged(command, "apt-install")


@functools.cache
def refresh() -> None:
    """Read the package lists anew, once for each script."""
    _run_privileged(["apt-get", WAIT, "update"], "apt-update")


def candidate(package: str) -> str:
    """The version of a package that `install` would give, or an empty string."""
    if not is_here():
        return ""
    version = _policy(package)
    if not version and can_install():
        refresh()
        version = _policy(package)
    return version


def _policy(package: str) -> str:
    output = subprocess.run(
        ["apt-cache", "policy", package], capture_output=True, text=True, check=False
    ).stdout
    found = re.search(r"Candidate: (?!\(none\))(\S+)", output)
    return found[1] if found else ""


def architecture() -> str:
    """Debian's name of this machine's kind, such as amd64."""
    return _output("dpkg", "--print-architecture")


def download_from_suite(suite: str, packages: Sequence[str], folder: Path) -> None:
    """Put packages of another suite, as files, into a folder; the system stays as it is."""
    state = folder / ".apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True)
    (state / "sources.list").write_text(
        f"deb [signed-by={KEYRING}] {_mirror()} {suite} main\n", encoding="utf-8"
    )
    options = [
        f"-oDir::Etc::SourceList={state}/sources.list",
        "-oDir::Etc::SourceParts=/dev/null",
        f"-oDir::State::Lists={state}/lists",
        f"-oDir::Cache={state}/cache",
        "-oAPT::Sandbox::User=root",
        "-oAcquire::Languages=none",
        "-oAcquire::Retries=2",
    ]
    console.run(["apt-get", *options, "update"], log="apt-suite-update", cwd=folder)
    console.run(["apt-get", *options, "download", *packages], log="apt-suite-download", cwd=folder)
    cache.remove(state)


def _mirror() -> str:
    """The address of Debian's archive that this system itself uses."""
    for line in _output(
        "apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)"
    ).splitlines():
        origin, _, address = line.partition(" ")
        if origin == "Debian":
            return address
    raise Stop("apt's configuration names no mirror of Debian: add one and run `apt-get update`.")


def _run_privileged(command: Sequence[str], log: str) -> None:
    privilege = _privilege()
    if privilege is None:
        raise Stop(f"`{' '.join(command)}` needs root: run it by hand, then start again.")
    quiet = cache.environment() | {"DEBIAN_FRONTEND": "noninteractive"}
    console.run([*privilege, *command], log=log, env=quiet)


@functools.cache
def _privilege() -> list[str] | None:
    """The words to put before a command that needs root, or None when root is out of reach."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False, timeout=10)
    return ["sudo", "-n"] if asked.returncode == 0 else None


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise Stop(f"`{' '.join(command)}` failed, which this script needs.") from None
