"""What a part of the project is made from, as a digest: nothing is built twice from the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from . import cache
from .environment import CHECKOUT

# Made, not written: never an input.
GENERATED = {"node_modules", "dist", "__pycache__", "models", ".mypy_cache", ".ruff_cache"}


def fingerprint(*places: str | Path) -> str:
    """A digest of the files, and of all files below the folders, named from the checkout."""
    digest = hashlib.sha256()
    for place in places:
        for file in sorted(_files(CHECKOUT / place)):
            digest.update(str(file.relative_to(CHECKOUT)).encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.name not in GENERATED and place.is_dir():
        for inner in place.iterdir():
            yield from _files(inner)


def when_changed(name: str, version: str, result: Path, make: Callable[[], None]) -> None:
    """Make the result, unless it is there and was made from this version.

    Two scripts of a checkout do not make the same thing, or in the same folder, at a time.
    """
    stamp = CHECKOUT / "build" / "stamps" / name
    checkout = hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:12]
    with cache.lock(f"{checkout}-{name.removesuffix('-tests')}"):
        if result.exists() and cache.is_complete(stamp, version):
            return
        make()
        stamp.mkdir(parents=True, exist_ok=True)
        cache.mark_complete(stamp, version)
