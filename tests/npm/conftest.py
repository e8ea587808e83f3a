"""The npm package as scripts/build leaves it, and the Node that runs it."""

from __future__ import annotations

import datetime
import hashlib
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from steps import cache, console, node
from steps.stop import Stop

sys.path.insert(0, str(Path(__file__).parent))

import matrix
from programs import run_tool
from records import OFFSETS, PAIRS_OF_OFFSETS, Numbers, expected_numbers, lines_of

HERE = Path(__file__).parent
CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "wasm"
SECONDS = 7_200  # no limit of its own: pytest has one for each test

Run = Callable[..., str]
TellMatrix = Callable[[str, str, str], None]


@pytest.fixture(scope="session")
def tell_matrix(pytestconfig: pytest.Config) -> Iterator[TellMatrix]:
    """Takes a place, its version and what was compared there; see --npm-matrix."""
    rows: list[matrix.Row] = []
    today = f"{datetime.date.today():%Y-%m-%d}"
    yield lambda *told: rows.append(matrix.Row(*told, today))
    if pytestconfig.getoption("--npm-matrix"):
        matrix.write(rows)


@pytest.fixture(scope="session")
def package() -> Path:
    """The package's folder."""
    if not (PACKAGE / "dist" / "spmlite.wasm").exists():
        pytest.skip("there is no wasm/dist/: scripts/build makes it")
    return PACKAGE


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs `node` or `npm` with arguments, in a folder; gives what it printed."""
    found = node.find_or_get()
    programs = {"node": (str(found.executable),), "npm": found.npm}

    def run_program(program: str, *arguments: str | Path, cwd: Path) -> str:
        return run_tool(*programs[program], *arguments, cwd=cwd, seconds=SECONDS)

    return run_program


@pytest.fixture(scope="session")
def installed(package: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the package's tarball installed."""
    project = tmp_path_factory.mktemp("project")
    run("npm", "pack", "--silent", "--pack-destination", project, cwd=package)
    (tarball,) = project.glob("spmlite-*.tgz")
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball, cwd=project)
    return project


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder of the programs that npm installs."""
    manifests = [HERE / "engines" / name for name in ("package.json", "package-lock.json")]
    version = hashlib.sha256(b"".join(path.read_bytes() for path in manifests)).hexdigest()

    def install(draft: Path) -> None:
        for path in manifests:
            shutil.copy(path, draft)
        found = node.find_or_get()
        with console.step("engines and bundlers from npm"):
            command = [*found.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
            console.run(command, log="npm-ci-engines", cwd=draft, env=found.environment())

    try:
        return cache.made_once("npm-engines", version, install) / "node_modules" / ".bin"
    except Stop as stop:
        pytest.skip(f"the engines cannot be had: {stop}")


@pytest.fixture(scope="session")
def record_lines(spm_fb_paths: dict[str, Path], text_lines: dict[str, list[str]]) -> list[str]:
    """The lines whose offsets are compared everywhere, with every model."""
    return lines_of(text_lines, -(-PAIRS_OF_OFFSETS // len(spm_fb_paths)))


@pytest.fixture(scope="session")
def expected_records(spm_fb_paths: dict[str, Path], record_lines: list[str]) -> dict[str, Numbers]:
    """Ids, UTF-16 offsets and byte offsets of every line, by model."""
    return {
        name: expected_numbers(path, record_lines, OFFSETS) for name, path in spm_fb_paths.items()
    }


@pytest.fixture(scope="session")
def record_pairs(spm_fb_paths: dict[str, Path], record_lines: list[str]) -> int:
    """How many pairs of a model and a line these are."""
    return len(spm_fb_paths) * len(record_lines)
