"""The package, installed from its tarball, in the engines and bundlers that people use.

Everything is compared with native Python. What is used is pinned in engines/package-lock.json and
installed once, below the cache.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from bundled import (
    TOKENIZER_JSON,
    TOKENIZER_JSON_IDS,
    mismatches_of_page,
    write_page_data,
)
from playwright.sync_api import Browser
from programs import SECONDS, run_tool
from records import (
    OFFSETS,
    PAIRS_OF_OFFSETS,
    Numbers,
    count_mismatches,
    write_lines,
)
from steps import site

HERE = Path(__file__).parent
PAGES = HERE / "pages"
LINES_OF_PAGES = 2_000

Run = Callable[..., str]
Models = dict[str, Path]
CountPairs = Callable[[str, int, int], None]
TellMatrix = Callable[[str, str, str], None]
WHAT = "ids, UTF-16 and byte offsets of {:,}"


# How each is started; the script and its arguments follow.
ENGINES = {
    "Node 24": ("node",),
    "Deno": ("deno", "run", "--allow-all", "--node-modules-dir=manual"),
    "Bun": ("bun", "run"),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_give_the_ids_and_offsets_of_python(
    engine: str,
    tools: Path,
    installed: Path,
    package: Path,
    spm_fb_paths: Models,
    record_lines: list[str],
    expected_records: dict[str, Numbers],
    record_pairs: int,
    tmp_path: Path,
    count_pairs: CountPairs,
    tell_matrix: TellMatrix,
) -> None:
    program, *options = ENGINES[engine]
    version = run_tool(tools / program, "--version", cwd=installed).split("\n")[0]
    script = installed / "encode_lines.mjs"
    source = (package / "test" / "encode_lines.mjs").read_text()
    script.write_text(source.replace("../dist/index.js", "spmlite"))
    texts = tmp_path / "lines.json"
    write_lines(record_lines, texts)
    arguments = (*options, script, texts, tmp_path, "offsets", *spm_fb_paths.values())
    run_tool(tools / program, *arguments, cwd=installed)
    mismatches = 0
    for number, expected in enumerate(expected_records.values()):
        numbers = np.fromfile(tmp_path / str(number), dtype=np.int32)
        mismatches += count_mismatches(numbers, expected, OFFSETS)
    count_pairs(f"ids and offsets in {engine} ({version})", record_pairs, mismatches)
    assert mismatches == 0
    assert record_pairs >= PAIRS_OF_OFFSETS
    number = re.search(r"\d[\d.]+", version)
    tell_matrix(engine, number[0] if number else version, WHAT.format(record_pairs))


@contextmanager
def served_by_workerd(program: Path, folder: Path) -> Iterator[str]:
    """The address of a workerd that serves the worker in a folder."""
    report, told = os.pipe()
    command = [program, "serve", f"--control-fd={told}", "workerd.capnp"]
    with subprocess.Popen(
        command, cwd=folder, pass_fds=(told,), stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(told)
        try:
            with os.fdopen(report) as lines:
                listening = [json.loads(line) for line in lines.readline().splitlines()]
            assert listening, process.stderr and process.stderr.read()
            yield f"http://127.0.0.1:{listening[0]['port']}"
        finally:
            process.terminate()


def post(address: str, body: bytes) -> bytes:
    with urllib.request.urlopen(
        urllib.request.Request(address, data=body), timeout=SECONDS
    ) as answer:
        return bytes(answer.read())


def test_workerd_gives_the_ids_and_offsets_of_python(
    tools: Path,
    installed: Path,
    spm_fb_paths: Models,
    model_paths: Models,
    record_lines: list[str],
    expected_records: dict[str, Numbers],
    record_pairs: int,
    tmp_path: Path,
    count_pairs: CountPairs,
    tell_matrix: TellMatrix,
) -> None:
    """Bundled as its own tool does: by the condition `workerd`, the modules beside the script."""
    shutil.copy(PAGES / "edge.js", installed)
    options = ("--bundle", "--format=esm", "--conditions=workerd", "--external:*.wasm")
    run_tool(tools / "esbuild", "edge.js", *options, f"--outdir={tmp_path}", cwd=installed)
    for file in (PAGES / "workerd.capnp", *(installed / DIST).glob("*.wasm")):
        shutil.copy(file, tmp_path)
    program = tools.parent / "@cloudflare" / "workerd-linux-64" / "bin" / "workerd"
    version = run_tool(program, "--version", cwd=tmp_path).strip()
    mismatches = 0
    with served_by_workerd(program, tmp_path) as address:
        for number, (name, model) in enumerate(spm_fb_paths.items()):
            read = model if number else model_paths[name]  # the first one is converted there
            assert post(f"{address}/model", read.read_bytes()) == b"loaded"
            answer = post(f"{address}/lines", json.dumps(record_lines).encode())
            numbers = np.frombuffer(answer, dtype=np.int32)
            mismatches += count_mismatches(numbers, expected_records[name], OFFSETS)
        assert post(f"{address}/model", json.dumps(TOKENIZER_JSON).encode()) == b"loaded"
        answer = post(f"{address}/lines", b'["b ax"]')
        count = len(TOKENIZER_JSON_IDS)
        assert np.frombuffer(answer, dtype=np.int32)[1 : count + 1].tolist() == TOKENIZER_JSON_IDS
    count_pairs(f"ids and offsets in {version}", record_pairs, mismatches)
    assert mismatches == 0
    assert record_pairs >= PAIRS_OF_OFFSETS
    place = "workerd, by the condition `workerd`"
    tell_matrix(place, version.removeprefix("workerd "), WHAT.format(record_pairs))


DIST = Path("node_modules/spmlite/dist")
# What takes files along that `new URL(..., import.meta.url)` names, and what leaves that to you.
BUNDLERS = {
    "Vite": (("vite", "build", "--outDir", "{out}", "--emptyOutDir", "--base", "./"), False),
    "webpack": (
        ("webpack", "--mode=production", "--entry=./app.js", "--output-path={out}"),
        False,
    ),
    "rollup": (
        ("rollup", "app.js", "--plugin=node-resolve", "--format=es", "--dir={out}"),
        True,
    ),
    "esbuild": (
        ("esbuild", "app.js", "--bundle", "--format=esm", "--splitting", "--outdir={out}"),
        True,
    ),
}


@pytest.mark.parametrize("bundler", BUNDLERS)
def test_bundled_pages_give_the_ids_of_python(
    bundler: str,
    tools: Path,
    installed: Path,
    browser: Browser,
    model_paths: Models,
    record_lines: list[str],
    tmp_path: Path,
    count_pairs: CountPairs,
    tell_matrix: TellMatrix,
) -> None:
    (program, *options), copies_files = BUNDLERS[bundler]
    for script in ("app.js", "run.js"):
        shutil.copy(PAGES / script, installed)
    (installed / "index.html").write_text('<script type="module" src="./app.js"></script>')
    out = tmp_path / "out"
    arguments = [option.format(out=out) for option in options]
    run_tool(tools / program, *arguments, cwd=installed)
    if copies_files:
        for file in (*(installed / DIST).glob("*.wasm"), installed / DIST / "worker-thread.js"):
            shutil.copy(file, out)
    if not (out / "index.html").exists():
        script = "main.js" if (out / "main.js").exists() else "app.js"
        (out / "index.html").write_text(f'<script type="module" src="./{script}"></script>')
    model = next(iter(model_paths.values()))
    some = record_lines[:LINES_OF_PAGES]
    write_page_data(out, model, some)
    with site.served(out) as address:
        mismatches = mismatches_of_page(browser, address, model, some)
    count_pairs(f"ids in Chromium, bundled by {bundler}", 3 * len(some), sum(mismatches.values()))
    assert mismatches == {"inlined": 0, "external": 0, "workers": 0}
    version = json.loads((tools.parent / program / "package.json").read_text())["version"]
    what = f"ids of {len(some):,} lines: inlined, `external`, in workers"
    tell_matrix(f"Chromium, bundled by {bundler}", version, what)


def test_publint_finds_nothing(tools: Path, installed: Path) -> None:
    (tarball,) = installed.glob("spmlite-*.tgz")
    output = run_tool(tools / "publint", tarball, "--strict", cwd=installed)
    assert "All good!" in output


def test_are_the_types_wrong_finds_nothing(tools: Path, installed: Path) -> None:
    """Of what a program imports, in Node from 16 on and in bundlers."""
    (tarball,) = installed.glob("spmlite-*.tgz")
    files = ("core.wasm", "sampling.wasm", "convert.wasm", "readers.wasm", "worker-thread")
    options = ("--profile", "node16", "--format", "ascii", "--exclude-entrypoints", *files)
    output = run_tool(tools / "attw", tarball, *options, cwd=installed)
    exports = json.loads((installed / DIST.parent / "package.json").read_text())["exports"]
    entries = [entry for entry in exports.values() if "import" in entry]
    assert len(re.findall(r"🟢 \(ESM\)", output)) == len(entries)
