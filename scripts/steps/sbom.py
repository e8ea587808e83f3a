"""Writes what is inside an artefact as an SBOM of CycloneDX, beside it as ARTEFACT.cdx.json."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from . import console, documentation, emscripten, flatbuffers, test_data
from .environment import CHECKOUT, REQUIREMENTS
from .stop import Stop

COMPONENTS = CHECKOUT / "LICENSES" / "components.toml"
WRITER = Path(__file__).with_name("sbom_writer.py")
# Of an artefact's name or folder: what it is, and its package URL without the version.
KINDS = (
    (re.compile(r"wasm32\.whl$"), "pyodide", "pkg:pypi/spmlite"),
    (re.compile(r"\.whl$"), "wheel", "pkg:pypi/spmlite"),
    (re.compile(r"\.tar\.gz$"), "sdist", "pkg:pypi/spmlite"),
    (re.compile(r"\.tgz$"), "npm", "pkg:npm/spmlite"),
    (
        re.compile(r"-amalgamation\.zip$|(^|/)sentencepiece_lite\.cc$"),
        "amalgamation",
        "pkg:generic/spmlite",
    ),
    (re.compile(r"(^|/)web/dist$"), "site", "pkg:generic/spmlite-site"),
    (re.compile(r"(^|/)dist/docs$"), "docs", "pkg:generic/spmlite-docs"),
)
# The artefacts of Python ask an installer for what pyproject.toml names.
PYTHON = {"wheel", "pyodide", "sdist"}


def main() -> int:
    """Write the SBOM of each artefact that is named."""
    parser = argparse.ArgumentParser(prog="scripts/sbom", description=__doc__)
    parser.add_argument(
        "artefacts", nargs="+", metavar="ARTEFACT", help="a file, or a site's folder"
    )
    for name in parser.parse_args().artefacts:
        console.say(f"  {write(Path(name))}")
    return 0


def write(artefact: Path) -> Path:
    """Write and check one SBOM, and return its file. The same artefact gives the same bytes."""
    written = artefact.with_name(f"{artefact.name}.cdx.json")
    environment = documentation.find_or_get()
    done = subprocess.run(
        [environment.python, WRITER],
        input=json.dumps(describe(artefact)),
        env=environment.variables(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Stop(f"the SBOM of {artefact.name} was not written: {done.stderr.strip()}")
    written.write_text(done.stdout, encoding="utf-8")
    return written


def describe(artefact: Path) -> dict[str, Any]:
    """All that the SBOM says."""
    kind, purl = kind_of(artefact)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    contained = [
        {**component, "version": version_of(component["version"])}
        for component in components()
        if kind in component["artefacts"]
    ]
    return {
        "name": "spmlite",
        "version": project["version"],
        "file": artefact.name,
        "kind": kind,
        "purl": f"{purl}@{project['version']}",
        "sha256": digest(artefact),
        "epoch": int(os.environ.get("SOURCE_DATE_EPOCH") or epoch()),
        "contained": contained,
        "asked_for": asked_for(project) if kind in PYTHON else [],
    }


def kind_of(artefact: Path) -> tuple[str, str]:
    """What kind an artefact is, and its package URL without the version."""
    place = artefact.resolve().as_posix()
    for pattern, kind, purl in KINDS:
        if pattern.search(place):
            return kind, purl
    raise Stop(f"{artefact} is no artefact of this project: it has none of the known names.")


def components() -> list[dict[str, Any]]:
    """What LICENSES/components.toml lists."""
    found: list[dict[str, Any]] = tomllib.loads(COMPONENTS.read_text("utf-8"))["component"]
    return found


def asked_for(project: dict[str, Any]) -> list[dict[str, Any]]:
    """The packages that an installer gets beside the artefact, with the reason of optional ones."""
    needed = [{"requirement": line, "extra": ""} for line in project["dependencies"]]
    for extra, lines in project["optional-dependencies"].items():
        needed += [{"requirement": line, "extra": extra} for line in lines]
    return needed


def version_of(place: str) -> str:
    """A version, found where components.toml says."""
    source, _, name = place.partition(":")
    if source in ("pip", "papers"):
        return _pinned("dev" if source == "pip" else source, name)
    if source in ("web", "wasm"):
        lock = json.loads((CHECKOUT / source / "package-lock.json").read_text("utf-8"))
        version: str = lock["packages"][f"node_modules/{name}"]["version"]
        return version
    if source == "test-data":
        pinned: str = getattr(test_data, name)[1]
        return pinned
    if place == "flatbuffers":
        return flatbuffers.version_of_headers()
    if place == "emscripten":
        return emscripten.find_or_get().version
    if place == "of-emscripten":
        return f"of Emscripten {emscripten.find_or_get().version}"
    if place == "of-theme":
        return f"of mkdocs-material {_pinned('papers', 'mkdocs-material')}"
    return place


def _pinned(requirements: str, name: str) -> str:
    text = (REQUIREMENTS / f"{requirements}.txt").read_text("utf-8")
    found = re.search(rf"^{re.escape(name)}==(\S+)", text, re.MULTILINE)
    if found is None:
        raise Stop(f"{COMPONENTS.name} names {name}, which {requirements}.txt does not pin.")
    return found[1]


def digest(artefact: Path) -> str:
    """The SHA-256 of a file; of a folder, that of its files' names and digests."""
    if artefact.is_file():
        return hashlib.sha256(artefact.read_bytes()).hexdigest()
    if not artefact.is_dir():
        raise Stop(f"{artefact} is not there.")
    files = [file for file in sorted(artefact.rglob("*")) if file.is_file()]
    lines = [f"{digest(file)}  {file.relative_to(artefact).as_posix()}\n" for file in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def epoch() -> str:
    """When the commit was made that is checked out."""
    command = ["git", "show", "--no-patch", "--format=%ct", "HEAD"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
