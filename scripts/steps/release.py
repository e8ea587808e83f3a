"""Makes what a release publishes, twice, and keeps it only where both have the same bytes."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from . import (
    build,
    cache,
    console,
    emscripten,
    environment,
    flatbuffers,
    node,
    pyodide_build,
    sbom,
)
from .environment import CHECKOUT
from .stop import Stop

OUT = CHECKOUT / "dist" / "release"
SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Circumstances:
    """What must make no difference to the bytes of an artefact."""

    folder: str
    umask: int
    variables: Mapping[str, str]


# Folders of different lengths, so that no path can hide in padding.
TWO = (
    Circumstances("one", 0o022, {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"}),
    Circumstances(
        "the-other/with-a-longer-name",
        0o077,
        {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "2"},
    ),
)


def main() -> int:
    """Make all artefacts of a commit, compare the two builds, and keep the first with its sums."""
    parser = argparse.ArgumentParser(prog="scripts/release", description=__doc__)
    parser.add_argument("--commit", default="HEAD", help="what to build (HEAD)")
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"all, or some of: {', '.join(PARTS)}"
    )
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are: {', '.join(PARTS)}")
    commit = git("rev-parse", "--verify", f"{arguments.commit}^{{commit}}")  # HEAD may move on
    console.say(f"  commit {commit}")
    with tempfile.TemporaryDirectory(prefix="spmlite-release-") as root:
        made = build_twice(commit, arguments.parts or list(PARTS), Path(root))
        if not compare(*made):
            return 1
        os.environ["SOURCE_DATE_EPOCH"] = date_of(commit)
        keep(made[0])
    return 0


def build_twice(commit: str, parts: list[str], root: Path) -> tuple[Path, Path]:
    """The two folders of artefacts."""
    date = date_of(commit)
    made = []
    for number, circumstances in enumerate(TWO):
        source = root / circumstances.folder
        out = root / f"artefacts-{number + 1}"
        old = os.umask(circumstances.umask)
        before = dict(os.environ)
        try:
            os.environ |= {**circumstances.variables, "SOURCE_DATE_EPOCH": date}
            os.environ["CCACHE_DISABLE"] = "1"  # what the first compiled proves nothing
            out.mkdir()
            export(commit, source)
            for part in parts:
                with console.step(f"build {number + 1} of 2: {part}"):
                    PARTS[part](source, out)
        finally:
            os.umask(old)
            os.environ.clear()
            os.environ |= before
        made.append(out)
    return made[0], made[1]


def export(commit: str, folder: Path) -> None:
    """The files of the commit, and nothing that was made of them."""
    folder.mkdir(parents=True)
    command = ["git", "archive", "--format=tar", commit]
    with tempfile.TemporaryFile() as archive:
        subprocess.run(command, cwd=CHECKOUT, stdout=archive, check=True)
        archive.seek(0)
        with tarfile.open(fileobj=archive) as tar:
            tar.extractall(folder, filter="data")


def git(*words: str) -> str:
    """What git says of the checkout."""
    done = subprocess.run(
        ["git", *words], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Stop(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def date_of(commit: str) -> str:
    """When it was made, in seconds since 1970."""
    return git("show", "--no-patch", "--format=%ct", commit)


# --- the artefacts ---


def wheel(source: Path, out: Path) -> None:
    """The wheel of this machine's kind."""
    found = environment.find_or_get()
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--no-cache-dir"]
    command: list[str | Path] = [found.python, "-m", "pip", "wheel", *options]
    console.run([*command, "--wheel-dir", out, source], log="release-wheel", env=_for_cmake(found))


def sdist(source: Path, out: Path) -> None:
    """The source archive."""
    found = environment.find_or_get()
    command: list[str | Path] = [found.python, "-m", "build", "--sdist", "--no-isolation"]
    console.run([*command, "--outdir", out, source], log="release-sdist", env=_for_cmake(found))


def _for_cmake(found: environment.Environment) -> dict[str, str]:
    return found.variables() | {"SKBUILD_CMAKE_ARGS": ";".join(build.flatbuffers_options())}


def pyodide(source: Path, out: Path) -> None:
    """The wheel for Pyodide."""
    compiler = emscripten.find_or_get()
    pyodide_build.build_wheel(source, out, compiler, build.flatbuffers_options())


def npm(source: Path, out: Path) -> None:
    """The npm package's archive."""
    package = source / "wasm"
    console.run([sys.executable, package / "build.py"], log="release-wasm")
    for path in (package / "dist").rglob("*"):  # npm packs the modes that the umask gave
        path.chmod(0o755 if path.is_dir() else 0o644)
    found = node.find_or_get()
    command = [*found.npm, "pack", "--silent", "--pack-destination", str(out)]
    console.run(command, log="release-npm-pack", cwd=package, env=found.environment())


def amalgamation(source: Path, out: Path) -> None:
    """The two files, the headers beside them and the licences, as an archive."""
    made = source / "dist"
    found = flatbuffers.find_or_get()
    command: list[str | Path] = [sys.executable, source / "scripts" / "amalgamate.py"]
    command += ["--output", made, "--flatc", found.flatc, "--flatbuffers", found.include]
    console.run(command, log="release-amalgamation")
    files = {path.name: path for path in made.iterdir()}
    files |= {name: source / name for name in build.PAPERS}
    files |= {f"LICENSES/{path.name}": path for path in (source / "LICENSES").glob("*.txt")}
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    archive = out / f"spmlite-{project['version']}-amalgamation.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in sorted(files.items()):
            member = zipfile.ZipInfo(f"{archive.stem}/{name}", date)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            packed.writestr(member, path.read_bytes())


PARTS = {
    "wheel": wheel,
    "sdist": sdist,
    "pyodide": pyodide,
    "npm": npm,
    "amalgamation": amalgamation,
}


# --- the comparison ---


def compare(one: Path, other: Path) -> bool:
    """Whether both hold the same files; tells the digest of each, and in what they differ."""
    names = sorted({path.name for folder in (one, other) for path in folder.iterdir()})
    same = True
    for name in names:
        digests = {digest(folder / name) for folder in (one, other)}
        if len(digests) == 1:
            console.say(f"  the same: {name} {digests.pop()}")
            continue
        same = False
        console.say(f"  NOT THE SAME: {name}")
        for member in differing_members(one / name, other / name):
            console.say(f"    {member}")
    return same


def digest(file: Path) -> str:
    """Its SHA-256, or what takes its place when it is missing."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "missing"


def differing_members(one: Path, other: Path) -> list[str]:
    """The names of what differs in two archives; none where only the packing does."""
    if not (one.exists() and other.exists()):
        return ["it was made only once"]
    first, second = members(one), members(other)
    return [
        name for name in sorted(first.keys() | second.keys()) if first.get(name) != second.get(name)
    ] or ["the packing alone: times, modes or order"]


def members(archive: Path) -> dict[str, bytes]:
    """The files in an archive."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as packed:
            return {name: packed.read(name) for name in packed.namelist()}
    with tarfile.open(archive) as tar:
        found = {member.name: tar.extractfile(member) for member in tar.getmembers()}
        return {name: content.read() for name, content in found.items() if content is not None}


def keep(made: Path) -> None:
    """Put the artefacts into dist/release, each with its SBOM, and the file of all their sums."""
    cache.remove(OUT)
    OUT.mkdir(parents=True)
    for file in sorted(made.iterdir()):
        sbom.write(Path(shutil.copy(file, OUT)))
    files = sorted(OUT.iterdir())
    lines = [f"{digest(file)}  {file.name}\n" for file in files]
    (OUT / SUMS).write_text("".join(lines), encoding="utf-8")
    console.say(f"  in {OUT.relative_to(CHECKOUT)}/, with {SUMS}")
