"""The other tokenizers: their packages, in an environment of their own below the cache."""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
import sys
from pathlib import Path

from .. import cache, console, environment, node
from ..stop import Stop

NODE_PACKAGES = environment.REQUIREMENTS / "bench-node"


@functools.cache
def python() -> Path:
    """The Python that has what bench.txt pins."""
    requirements = environment.REQUIREMENTS / "bench.txt"

    def install(folder: Path) -> None:
        venv = environment.Environment(folder)
        environment.create(venv, Path(sys.executable))
        with console.step("Python packages that are measured"):
            environment.install(venv, requirements)

    version = environment.fingerprint(requirements)
    folder = cache.made_in_place("bench/python", version, install)
    return environment.Environment(folder).python


@functools.cache
def node_modules() -> Path:
    """The folder whose node_modules has what bench-node's lock file pins; no script of it runs."""
    lock = NODE_PACKAGES / "package-lock.json"

    def install(folder: Path) -> None:
        for file in ("package.json", "package-lock.json"):
            shutil.copyfile(NODE_PACKAGES / file, folder / file)
        found = node.find_or_get()
        with console.step("npm packages that are measured"):
            command = [*found.npm, "ci", "--ignore-scripts", "--loglevel=error"]
            console.run(command, log="npm-ci-bench", cwd=folder, env=found.environment())

    version = hashlib.sha256(lock.read_bytes()).hexdigest()
    return cache.made_in_place("bench/node", version, install)


def versions() -> dict[str, str]:
    """The pinned versions, by package."""
    found: dict[str, str] = {}
    requirements = (environment.REQUIREMENTS / "bench.txt").read_text(encoding="utf-8")
    for line in requirements.splitlines():
        name, is_pin, version = line.partition("==")
        if is_pin:
            found.setdefault(name, version.split()[0])
    manifest = json.loads((NODE_PACKAGES / "package.json").read_text(encoding="utf-8"))
    in_node: dict[str, str] = manifest["dependencies"]
    return found | in_node


def tiktoken_vocabulary() -> Path:
    """OpenAI's o200k_base, which tiktoken itself would download, as npm's tiktoken carries it."""
    file = node_modules() / "node_modules" / "tiktoken" / "encoders" / "o200k_base.json"
    if not file.is_file():
        raise Stop("npm's tiktoken has no o200k_base.")
    return file
