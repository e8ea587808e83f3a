"""A Chromium for the browser tests, and how to start it."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import apt, cache, console, environment
from .stop import Stop

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DOWNLOAD_SECONDS = 300.0
START_SECONDS = 20.0
# Where Playwright keeps the browser inside the folder of its own downloads, and where Chrome is
# usually installed on systems that do not put it on PATH.
PLAYWRIGHT_PATTERNS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)
USUAL_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
# A test needs none of the browser's own conversations with its makers.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


@dataclass(frozen=True)
class Chromium:
    """A browser and the arguments with which it starts here."""

    executable: Path
    arguments: tuple[str, ...]
    origin: str


@functools.cache
def find_or_get() -> Chromium:
    """The first Chromium that is there, else one that can be had."""
    found = _named() or _on_path() or _from_playwright() or _in_usual_place() or _get()
    executable, origin = found
    return Chromium(executable, _arguments(), origin)


def _arguments() -> tuple[str, ...]:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ("--no-sandbox", *QUIET) if is_root else QUIET


def _named() -> tuple[Path, str] | None:
    named = os.environ.get("SPMLITE_CHROMIUM")
    if not named:
        return None
    if not Path(named).is_file():
        raise Stop(f"SPMLITE_CHROMIUM names {named}, which is not there: correct or unset it.")
    return Path(named), "$SPMLITE_CHROMIUM"


def _on_path() -> tuple[Path, str] | None:
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found), "PATH"
    return None


def _from_playwright() -> tuple[Path, str] | None:
    for folder in _playwright_folders():
        for pattern in PLAYWRIGHT_PATTERNS:
            for executable in sorted(folder.glob(pattern), reverse=True):
                return executable, "Playwright's download"
    return None


def _playwright_folders() -> Iterator[Path]:
    """Ours comes first, then those of Playwright's own choice."""
    yield cache.root() / "playwright"
    if sys.platform == "darwin":
        yield Path.home() / "Library" / "Caches" / "ms-playwright"
    elif sys.platform == "win32":
        yield Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    else:
        yield Path.home() / ".cache" / "ms-playwright"


def _in_usual_place() -> tuple[Path, str] | None:
    for place in map(Path, USUAL_PLACES):
        if place.is_file():
            return place, "the system"
    return None


def _get() -> tuple[Path, str]:
    reasons = []
    for get in (_get_from_playwright, _get_from_apt):
        try:
            get()
        except Stop as stop:
            reasons.append(str(stop))
        found = _from_playwright() or _on_path()
        if found is not None:
            return found
    raise Stop(
        "Chromium is missing: install it, or name one in SPMLITE_CHROMIUM. "
        f"What was tried: {' '.join(reasons)}"
    )


def _get_from_playwright() -> None:
    playwright = environment.find_or_get()
    variables = playwright.variables() | {
        "PLAYWRIGHT_BROWSERS_PATH": str(cache.root() / "playwright"),
        "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "5000",
    }
    with console.step("Chromium from Playwright"):
        command = (playwright.program("playwright"), "install", "chromium")
        console.run(command, log="playwright-install", env=variables, timeout=DOWNLOAD_SECONDS)
        _check_start()


def _check_start() -> None:
    """A downloaded browser is of no use where the system lacks the libraries it wants."""
    found = _from_playwright()
    try:
        command = [found[0] if found else "nothing", "--version"]
        console.run(command, log="chromium-version", timeout=START_SECONDS)
    except Stop:
        cache.remove(cache.root() / "playwright")
        raise


def _get_from_apt() -> None:
    if not apt.can_install():
        raise Stop("apt cannot install it without root.")
    with console.step("Chromium from apt"):
        apt.install(["chromium"])
