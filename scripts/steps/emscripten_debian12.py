"""Emscripten for Debian 12: Debian 13's packages in their own folder, over Debian 12's LLVM 19.

Nothing of the system changes but that LLVM 19 is installed. Binaryen wants a newer C library than
Debian 12's, so its tools start through Debian 13's loader.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from . import apt, cache, console, node
from .stop import Stop

SUITE = "trixie"
LLVM = ("clang-19", "lld-19", "llvm-19")
EMSCRIPTEN = "3.1.69+dfsg-3"
BINARYEN = "120-4"
REVISION = f"{EMSCRIPTEN} {BINARYEN} 1"
ACORN = (
    "acorn",
    "8.15.0",
    (
        "sha512-NZyJarBfL7nWwIq+FDL6Zp/yHEhePMNnnJ0y3qfi"
        "eCrmNvYct8uvtiV41UvlSe6apAfk0fY1FbWx+NwfmpvtTg=="
    ),
)
# apt's signatures vouch for the C library, which may move within the suite.
UNPINNED = ("libc6", "libstdc++6", "libgcc-s1")
EMSCRIPTEN_SHA256 = "d2ac788b952c56ab6736b4db2ac0825aa63cfb4c08b8abaefe19e324779d1b2d"
BINARYEN_SHA256 = {
    "amd64": "47be56009e56170f4338a0154fbff2028bd607bc3c8b6a5414658a985bef6470",
    "arm64": "f1ab3b2a3e1852d47cbd721c630be749094249c48fd1d2eec218e24bffda936b",
}
# By architecture: the folder of the C library and its loader.
LOADER = {
    "amd64": ("usr/lib/x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "arm64": ("usr/lib/aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}
FOLDER = "emscripten-debian12"
TOOLS = "debian/usr/share/emscripten"


def prefix() -> Path:
    """The folder of their own."""
    return cache.root() / FOLDER


def is_ready() -> bool:
    """Whether all of it is there, the system's LLVM included."""
    return cache.is_complete(prefix(), REVISION) and (_llvm_bin() / "clang").exists()


def get() -> None:
    """Install what is missing."""
    architecture = _architecture()
    if not (_llvm_bin() / "clang").exists() or not (_llvm_bin() / "wasm-ld").exists():
        _install_llvm()

    def fill(folder: Path) -> None:
        with console.step("Emscripten 3.1.69 from Debian 13's packages"):
            _unpack_packages(folder, architecture)
            _wrap_binaryen(folder, architecture)
            _add_acorn(folder)
            (folder / TOOLS / "cache").rename(folder / "cache")
            _configure(folder)

    cache.made_in_place(FOLDER, REVISION, fill)


def _architecture() -> str:
    architecture = apt.architecture() if apt.is_here() else "none"
    if architecture not in LOADER or not apt.KEYRING.is_file():
        raise Stop("The packages of Debian 13 are of use on Debian alone, on amd64 and arm64.")
    return architecture


def _install_llvm() -> None:
    if not apt.candidate(LLVM[0]):
        raise Stop("apt has no clang-19 here.")
    with console.step("LLVM 19 from apt"):
        apt.install(LLVM)


def _llvm_bin() -> Path:
    return Path("/usr/lib/llvm-19/bin")


def _unpack_packages(folder: Path, architecture: str) -> None:
    pinned = [f"emscripten={EMSCRIPTEN}", f"binaryen={BINARYEN}"]
    apt.download_from_suite(SUITE, [*pinned, *UNPINNED], folder)
    cache.check_sha256(next(folder.glob("emscripten_*.deb")), EMSCRIPTEN_SHA256)
    cache.check_sha256(next(folder.glob("binaryen_*.deb")), BINARYEN_SHA256[architecture])
    for package in sorted(folder.glob("*.deb")):
        console.run(["dpkg", "-x", package, folder / "debian"], log="dpkg")
        package.unlink()


def _wrap_binaryen(folder: Path, architecture: str) -> None:
    library_folder, loader = LOADER[architecture]
    libraries = folder / "debian" / library_folder
    wrappers = folder / "binaryen" / "bin"
    wrappers.mkdir(parents=True)
    for tool in (folder / "debian" / "usr" / "bin").glob("wasm*"):
        wrapper = wrappers / tool.name
        command = f'exec "{libraries / loader}" --library-path "{libraries}" "{tool}" "$@"'
        wrapper.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        wrapper.chmod(0o755)


def _add_acorn(folder: Path) -> None:
    """Emscripten's optimizer of JavaScript imports it."""
    shutil.copytree(node.package(*ACORN), folder / TOOLS / "node_modules" / "acorn")


def _configure(folder: Path) -> None:
    settings = {
        "LLVM_ROOT": _llvm_bin(),
        "BINARYEN_ROOT": folder / "binaryen",
        "NODE_JS": node.find_or_get().executable,
        "CACHE": folder / "cache",
    }
    lines = "".join(f"{name} = {str(value)!r}\n" for name, value in settings.items())
    (folder / TOOLS / ".emscripten").write_text(lines, encoding="utf-8")
