"""Java, which Spark runs on."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import apt, console
from .stop import Stop

OLDEST = 17
# Debian's: the first that this system offers is taken.
PACKAGES = ("openjdk-17-jre-headless", "openjdk-21-jre-headless", "openjdk-25-jre-headless")


@dataclass(frozen=True)
class Java:
    """A Java runtime."""

    executable: Path
    version: str
    origin: str

    @property
    def home(self) -> Path:
        """What JAVA_HOME is set to."""
        return self.executable.resolve().parents[1]


@functools.cache
def find_or_get() -> Java:
    """The one on PATH, else apt's."""
    found = _on_path()
    if found is None and apt.can_install():
        with console.step("Java from apt"):
            apt.install([_offered()])
        found = _on_path()
    if found is None:
        raise Stop(f"Java is missing, which Spark needs: install version {OLDEST} or newer.")
    return found


def _on_path() -> Java | None:
    executable = shutil.which("java")
    if executable is None:
        return None
    command = [executable, "-version"]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "((\d+)[^"]*)"', printed)
    if found is None or int(found[2]) < OLDEST:
        return None
    return Java(Path(executable), found[1], "PATH")


def _offered() -> str:
    for package in PACKAGES:
        if apt.candidate(package):
            return package
    raise Stop(f"apt offers none of {', '.join(PACKAGES)}, and Spark needs Java.")
