"""The cache folder: all that is downloaded lives below it, so that the checkout stays clean."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from .stop import Stop

STAMP = ".complete"


def root() -> Path:
    """The folder that holds all downloads of this project."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "spmlite"


def environment() -> dict[str, str]:
    """The environment for subprocesses: quiet package managers, their caches below ours."""
    return os.environ | {
        "PIP_CACHE_DIR": str(root() / "pip"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
        "npm_config_audit": "false",
        "npm_config_cache": str(root() / "npm"),
        "npm_config_fund": "false",
        "npm_config_update_notifier": "false",
        "UV_CACHE_DIR": str(root() / "uv"),
    }


def is_complete(folder: Path, version: str) -> bool:
    """Whether the folder was made to its end, in this version."""
    try:
        return (folder / STAMP).read_text(encoding="utf-8") == version
    except OSError:
        return False


def mark_complete(folder: Path, version: str) -> None:
    """Write the stamp, whole or not at all."""
    draft = folder / f"{STAMP}.{os.getpid()}"
    draft.write_text(version, encoding="utf-8")
    draft.replace(folder / STAMP)


def made_once(name: str, version: str, make: Callable[[Path], None]) -> Path:
    """The cache's folder `name`, filled by `make` unless this version is there already.

    `make` fills a temporary sibling, which takes the place of `name` only when it is whole.
    """
    folder = root() / name
    if is_complete(folder, version):
        return folder
    with lock(name):
        if not is_complete(folder, version):
            _make_aside(folder, version, make)
    return folder


def made_in_place(name: str, version: str, make: Callable[[Path], None]) -> Path:
    """Like `made_once`, for what cannot be moved once made, such as a virtual environment."""
    folder = root() / name
    if is_complete(folder, version):
        return folder
    with lock(name):
        if not is_complete(folder, version):
            remove(folder)
            folder.mkdir(parents=True)
            make(folder)
            mark_complete(folder, version)
    return folder


def _make_aside(folder: Path, version: str, make: Callable[[Path], None]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left_over in folder.parent.glob(f".{folder.name}.*"):
        remove(left_over)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        make(draft)
        draft.chmod(0o755)
        mark_complete(draft, version)
        remove(folder)
        draft.rename(folder)
    finally:
        remove(draft)


def remove(folder: Path) -> None:
    """Delete a folder, whether or not it is there."""
    if folder.exists():
        shutil.rmtree(folder)


def check_sha256(file: Path, expected: str) -> None:
    """Stop when the file is not, byte for byte, the one that was pinned."""
    _check(file, _digest(file, "sha256").hex(), expected)


def check_integrity(file: Path, expected: str) -> None:
    """The same for npm's notation, `sha512-` and base64."""
    found = base64.b64encode(_digest(file, "sha512")).decode("ascii")
    _check(file, f"sha512-{found}", expected)


def _check(file: Path, found: str, expected: str) -> None:
    if found != expected:
        raise Stop(
            f"{file.name} has the digest {found} instead of the pinned {expected}: "
            "it was changed, or cut short, on its way; try again, or look into it."
        )


def _digest(file: Path, algorithm: str) -> bytes:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, algorithm).digest()


@contextmanager
def lock(name: str) -> Iterator[None]:
    """Keep two scripts from making the same thing at the same time; freed when the process dies."""
    folder = root() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name.replace('/', '-')}.lock").open("a+b") as file:
        _lock_file(file)
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock_file(file: IO[bytes]) -> None:
        file.seek(0)
        while True:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # it gives up after ten seconds
                continue
            return
else:
    import fcntl

    def _lock_file(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)
