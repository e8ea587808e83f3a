"""The npm package: its own tests, its size, and an installation from its tarball."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., str]

KILOBYTE = 1_000
RUNTIME_RAW = 60 * KILOBYTE
RUNTIME_GZIP = 25 * KILOBYTE

IMPORTS = """
const { readFileSync } = require("node:fs");
const imports = {};
for (const file of process.argv.slice(1)) {
  const module = new WebAssembly.Module(readFileSync(file));
  imports[file] = WebAssembly.Module.imports(module).map((one) => one.name);
}
console.log(JSON.stringify(imports));
"""

# Uses every public name, as a program of a strict user would.
PROGRAM = """
import {
  type DecodingWithOffsets,
  type EncodingWithOffsets,
  type Ids,
  type LoadOptions,
  type ModelSource,
  type ModelType,
  type OffsetOptions,
  type OffsetUnit,
  type PieceType,
  type SampleOptions,
  type Segmentation,
  SpmliteError,
  type SpmliteErrorCode,
  type StreamingDecoder,
  Tokenizer,
} from "spmlite";

export async function useAll(source: ModelSource): Promise<string> {
  const withSampling: LoadOptions = { sampling: true };
  using tokenizer: Tokenizer = await Tokenizer.load(source, withSampling);
  const ids: Int32Array = tokenizer.encode("text");
  const { offsets, byteOffsets }: EncodingWithOffsets = tokenizer.encodeWithOffsets("text");
  const unit: OffsetUnit = "codePoints";
  const inUnit: OffsetOptions = { unit };
  const decoding: DecodingWithOffsets = tokenizer.decodeWithOffsets(ids, inUnit);
  const options: SampleOptions = { seed: 1, alpha: 0.1, nbestSize: -1 };
  const drawn: Ids = tokenizer.sample("text", options);
  const best: Segmentation[] = tokenizer.nbest("text", 2);
  using decoder: StreamingDecoder = tokenizer.streamingDecoder();
  const streamed: string = decoder.add(drawn) + decoder.add(ids[0] ?? 0) + decoder.finish();
  const told = [decoding.text, decoding.pieces[0], decoding.surfaces[0], best[0]?.score, streamed];
  const type: PieceType = tokenizer.type(tokenizer.unkId);
  const model: ModelType = tokenizer.modelType;
  return [type, model, tokenizer.decode(ids), offsets[0], byteOffsets[0], ...told].join();
}

export function codeOf(error: unknown): SpmliteErrorCode | undefined {
  return error instanceof SpmliteError ? error.code : undefined;
}
"""
STRICT = {
    "compilerOptions": {
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "noEmit": True,
        "target": "ES2022",
        "lib": ["ES2022", "DOM"],
        "module": "NodeNext",
        "types": [],
    },
    "files": ["program.mts"],
}


@pytest.fixture(scope="module")
def installed(package: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the package's tarball installed."""
    project = tmp_path_factory.mktemp("project")
    run("npm", "pack", "--silent", "--pack-destination", project, cwd=package)
    (tarball,) = project.glob("spmlite-*.tgz")
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball, cwd=project)
    return project


def test_the_packages_own_tests_pass(package: Path, run: Run) -> None:
    tests = sorted(package.glob("test/*.test.mjs"))
    output = run("node", "--test", "--test-reporter=tap", *tests, cwd=package)
    counts = dict(re.findall(r"^# (tests|pass|fail|skipped) (\d+)$", output, re.MULTILINE))
    print(f"\n{len(tests)} files of node:test: {counts}")
    for line in re.findall(r"^# (\d.*)$", output, re.MULTILINE):
        print(f"  {line}")
    assert int(counts["pass"]) == int(counts["tests"]) > 0
    assert counts["fail"] == counts["skipped"] == "0"


def test_the_sources_are_clean(package: Path, run: Run) -> None:
    run("npm", "run", "check", cwd=package)


def test_the_modules_are_small(package: Path) -> None:
    sizes = {}
    for file in sorted((package / "dist").glob("*.wasm")):
        content = file.read_bytes()
        sizes[file.name] = (len(content), len(gzip.compress(content, 9)))
        print(f"\n{file.name}: {sizes[file.name][0]} bytes, gzip {sizes[file.name][1]}", end="")
    print()
    raw, zipped = sizes["spmlite.wasm"]
    assert raw <= RUNTIME_RAW
    assert zipped <= RUNTIME_GZIP


def test_the_modules_import_nothing(package: Path, run: Run) -> None:
    files = sorted(str(file) for file in (package / "dist").glob("*.wasm"))
    imports = json.loads(run("node", "-e", IMPORTS, *files, cwd=package))
    assert imports == {file: [] for file in files}


def test_the_tarball_holds_what_is_needed_and_no_more(installed: Path) -> None:
    (tarball,) = installed.glob("spmlite-*.tgz")
    with tarfile.open(tarball) as archive:
        files = {member.name.removeprefix("package/") for member in archive}
    print(f"\n{len(files)} files, {tarball.stat().st_size} bytes packed")
    outside = {file for file in files if not file.startswith("dist/")}
    assert outside == {"package.json", "README.md"}
    assert {file.rpartition(".")[2] for file in files - outside} == {
        *("js", "ts", "wasm", "dist/LICENSE", "dist/NOTICE")
    }
    assert {
        "dist/spmlite.wasm",
        "dist/spmlite-sampling.wasm",
        "dist/spmlite-convert.wasm",
        "dist/index.d.ts",
    } <= files


def test_the_readmes_example_runs(package: Path, installed: Path, run: Run) -> None:
    readme = (package / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```js\n(.*?)```", readme, re.DOTALL)
    shutil.copy(package / "test" / "tiny_model.mjs", installed)
    (installed / "write_model.js").write_text(
        'import { writeFileSync } from "node:fs";\n'
        'import { tinyModel } from "./tiny_model.mjs";\n'
        'writeFileSync("tokenizer.model", tinyModel());\n'
    )
    run("node", "write_model.js", cwd=installed)
    (installed / "example.js").write_text(example, encoding="utf-8")
    output = run("node", "example.js", cwd=installed)
    print(f"\n{output}")
    assert "ab 🦙" in output


def test_the_types_satisfy_a_strict_user(package: Path, installed: Path, run: Run) -> None:
    (installed / "program.mts").write_text(PROGRAM)
    (installed / "tsconfig.json").write_text(json.dumps(STRICT))
    compiler = package / "node_modules" / "typescript" / "bin" / "tsc"
    run("node", compiler, "-p", installed, cwd=installed)
