"""The package in a project of Next.js: a page in Chromium, and a route of the edge runtime.

Runs with --next alone: the packages of Next.js take 16 s and 400 MB, its build half a minute.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bundled import mismatches_of_page, write_page_data
from playwright.sync_api import Browser
from programs import SECONDS, run_tool
from spmlite import SentencePieceProcessor
from steps import cache, console, node

HERE = Path(__file__).parent
LINES = 2_000

CountPairs = Callable[[str, int, int], None]
Run = Callable[..., str]


@pytest.fixture
def project(pytestconfig: pytest.Config, installed: Path, run: Run, tmp_path: Path) -> Path:
    """The project, with what it needs installed, and the package from its tarball."""
    if not pytestconfig.getoption("--next"):
        pytest.skip("a build of Next.js takes long: run with --next")
    source = HERE / "next"
    version = hashlib.sha256((source / "package-lock.json").read_bytes()).hexdigest()

    def install(draft: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, draft)
        found = node.find_or_get()
        with console.step("Next.js from npm"):
            command = [*found.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
            console.run(command, log="npm-ci-next", cwd=draft, env=found.environment())

    packages = cache.made_once("npm-next", version, install)
    project = tmp_path / "project"
    shutil.copytree(packages, project, copy_function=os.link, symlinks=True)
    shutil.copytree(source / "app", project / "app")
    shutil.copy(HERE / "pages" / "run.js", project / "app")
    shutil.copytree(installed / "node_modules" / "spmlite", project / "node_modules" / "spmlite")
    return project


@contextmanager
def served_by_next(project: Path) -> Iterator[str]:
    """The address of the built project."""
    command = [node.find_or_get().executable, "node_modules/next/dist/bin/next", "start"]
    with subprocess.Popen(
        [*command, "--hostname=127.0.0.1", "--port=0"],
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            lines = iter(process.stdout.readline, "")
            found = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in lines)
            yield next(address[0] for address in found if address)
        finally:
            process.terminate()


def test_next_gives_the_ids_of_python(
    project: Path,
    browser: Browser,
    model_paths: dict[str, Path],
    text_lines: dict[str, list[str]],
    count_pairs: CountPairs,
    tell_matrix: Callable[[str, str, str], None],
) -> None:
    model = next(iter(model_paths.values()))
    lines = [line for some in text_lines.values() for line in some[: LINES // len(text_lines)]]
    (project / "public").mkdir()
    write_page_data(project / "public", model, lines)
    run_tool(node.find_or_get().executable, "node_modules/next/dist/bin/next", "build", cwd=project)
    with served_by_next(project) as address:
        mismatches = mismatches_of_page(browser, address, model, lines)
        question = json.dumps({"model": f"{address}/model.model", "lines": lines}).encode()
        with urllib.request.urlopen(f"{address}/encode", question, timeout=SECONDS) as answer:
            ids = json.load(answer)
    expected = SentencePieceProcessor(model).encode(lines)
    mismatches["edge"] = sum(one != other for one, other in zip(ids, expected, strict=True))
    count_pairs("ids by Next.js", 4 * len(lines), sum(mismatches.values()))
    assert mismatches == {"inlined": 0, "external": 0, "workers": 0, "edge": 0}
    version = json.loads((HERE / "next" / "package.json").read_text())["dependencies"]["next"]
    what = f"ids of {len(lines):,} lines: inlined, `external`, in workers"
    tell_matrix("Chromium, bundled by Next.js, with --next", version, what)
    place = "Next.js's edge runtime, by the condition `edge-light`, with --next"
    tell_matrix(place, version, f"ids of {len(lines):,} lines, from a `.model`")
