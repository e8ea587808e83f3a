"""The npm package: its own tests, its size, and an installation from its tarball."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., str]

KILOBYTE = 1_000
RUNTIME_RAW = 60 * KILOBYTE
RUNTIME_GZIP = 25 * KILOBYTE
CONVERTER_RAW = 60 * KILOBYTE
ENTRY_GZIP = 40 * KILOBYTE

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
  convert,
  type CacheOptions,
  type ControlOptions,
  type DecodingWithOffsets,
  type EncodeOffsetOptions,
  type EncodeOptions,
  type EncodeStreamOptions,
  type EncodingWithOffsets,
  type Ids,
  type LoadOptions,
  type ModelSource,
  type ModelType,
  type ModuleOptions,
  type OffsetOptions,
  type OffsetUnit,
  type PieceType,
  type PrepareOptions,
  type Progress,
  type ReadOptions,
  type SampleOptions,
  type Segmentation,
  type SplitOptions,
  SpmliteError,
  type SpmliteErrorCode,
  type StreamingDecoder,
  type TextPart,
  readTokenizerJson,
  Tokenizer,
  type TokenizerJsonModel,
} from "spmlite";
import * as external from "spmlite/external";
import {
  transformersTokenizer,
  type TransformersOptions,
  type TransformersTokenizer,
} from "spmlite/transformers";
import {
  type Abortable,
  type WorkerLoadOptions,
  type WorkerStreamingDecoder,
  WorkerTokenizer,
} from "spmlite/worker";

export async function useAll(source: ModelSource): Promise<string> {
  let progress: Progress | undefined;
  const read: ReadOptions = { integrity: "sha256-", onProgress: (told) => (progress = told) };
  const kept: CacheOptions = { cache: true };
  const withSampling: ModuleOptions = { sampling: true };
  const load: LoadOptions = { ...read, ...kept, ...withSampling };
  const prepare: PrepareOptions = { converter: true, readers: true };
  const ofJson: TokenizerJsonModel = await readTokenizerJson(source, read);
  await Tokenizer.prepare(prepare);
  const blob: Uint8Array = await convert(source, read);
  const atOnce: Tokenizer = Tokenizer.fromBytes(blob);
  atOnce.free();
  using tokenizer: Tokenizer = await Tokenizer.load(source, load);
  const control: ControlOptions = { controlPieces: ["<s>"] };
  const framing: EncodeOptions = { ...control, addBos: true, addEos: false, reverse: true };
  const ids: Int32Array = tokenizer.encode("text", framing);
  const written: number = tokenizer.encodeInto("text", ids);
  const batch: Int32Array[] = tokenizer.encodeBatch(["text"], framing);
  const units: EncodeOffsetOptions = { unit: "bytes", controlPieces: true };
  const { offsets, byteOffsets }: EncodingWithOffsets = tokenizer.encodeWithOffsets("text", units);
  const unit: OffsetUnit = "codePoints";
  const inUnit: OffsetOptions = { unit };
  const decoding: DecodingWithOffsets = tokenizer.decodeWithOffsets(ids, inUnit);
  const bytes: Uint8Array = tokenizer.decodeBytes(ids);
  const overlapping: SplitOptions = { overlap: 1 };
  const parts: TextPart[] = tokenizer.split("text", 2, { ...overlapping, ...control });
  const fits: boolean = tokenizer.isWithinLimit(tokenizer.truncate("text", 2, control), 2);
  const lines: EncodeStreamOptions = { lines: true, addEos: true };
  const streams = [tokenizer.encodeStream(lines), tokenizer.decodeStream()];
  const options: SampleOptions = { seed: 1, alpha: 0.1, nbestSize: -1 };
  const drawn: Ids = tokenizer.sample("text", options);
  const best: Segmentation[] = tokenizer.nbest("text", 2);
  using decoder: StreamingDecoder = tokenizer.streamingDecoder();
  const streamed: string = decoder.add(drawn) + decoder.add(ids[0] ?? 0) + decoder.finish();
  const told = [decoding.text, decoding.pieces[0], decoding.surfaces[0], best[0]?.score, streamed];
  const type: PieceType = tokenizer.type(tokenizer.unkId);
  const model: ModelType = tokenizer.modelType;
  const counts = [written, batch.length, bytes.length, parts.length, fits, progress];
  told.push(...ofJson.notes, ofJson.model.length);
  told.push(...counts.map(String), streams.length, byteOffsets[0], offsets[0]);
  return [type, model, tokenizer.decode(ids), ...told].join();
}

export async function useOthers(source: ModelSource): Promise<number> {
  const inWorkers: WorkerLoadOptions = { workers: 2 };
  using tokenizer = await WorkerTokenizer.load(source, inWorkers);
  const abortable: Abortable = {};
  const [ids] = await tokenizer.encodeBatch(["text"], { addBos: true, ...abortable });
  const decoder: WorkerStreamingDecoder = tokenizer.streamingDecoder();
  const streams = [tokenizer.encodeStream({ lines: true }), tokenizer.decodeStream()];
  const text: string = (await decoder.add(streams.length)) + (await decoder.finish());
  const same: Tokenizer = await external.Tokenizer.load(source);
  return same.count(text + (await tokenizer.decode(ids ?? [])));
}

export async function useInTransformers(source: ModelSource): Promise<string> {
  const options: TransformersOptions<string[]> = { config: { add_bos_token: false } };
  const tokenize: TransformersTokenizer<string[]> = transformersTokenizer(
    await Tokenizer.load(source),
    options,
  );
  const { input_ids } = tokenize(["text", "more"], { padding: true, truncation: true });
  const ids: number[] = tokenize.encode("text", { add_special_tokens: false });
  return [input_ids.length, ...tokenize.batch_decode([ids]), tokenize.decode(ids)].join();
}

export function codeOf(error: unknown): SpmliteErrorCode | undefined {
  return error instanceof SpmliteError ? error.code : undefined;
}
"""
STRICT = {
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noEmit": True,
    "target": "ES2022",
    "module": "NodeNext",
    "types": [],
}


def test_the_packages_own_tests_pass(package: Path, run: Run) -> None:
    tests = sorted(package.glob("test/*.test.mjs"))
    output = run("node", "--test", "--test-reporter=tap", *tests, cwd=package)
    counts = dict(re.findall(r"^# (tests|pass|fail|skipped) (\d+)$", output, re.MULTILINE))
    print(f"\n{len(tests)} files of node:test: {counts}")
    for line in re.findall(r"^# (\d.*)$", output, re.MULTILINE):
        print(f"  {line}")
    assert int(counts["pass"]) == int(counts["tests"]) > 0
    assert counts["fail"] == counts["skipped"] == "0"


def test_the_modules_are_small(package: Path) -> None:
    sizes = {}
    dist = package / "dist"
    for file in (*sorted(dist.glob("*.wasm")), dist / "index.js"):
        content = file.read_bytes()
        sizes[file.name] = (len(content), len(gzip.compress(content, 9)))
        print(f"\n{file.name}: {sizes[file.name][0]} bytes, gzip {sizes[file.name][1]}", end="")
    print()
    raw, zipped = sizes["spmlite.wasm"]
    assert raw <= RUNTIME_RAW
    assert zipped <= RUNTIME_GZIP
    assert sizes["spmlite-convert.wasm"][0] <= CONVERTER_RAW
    assert sizes["index.js"][1] <= ENTRY_GZIP


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
    endings = {file.rpartition(".")[2] for file in files - outside}
    assert endings == {"js", "ts", "wasm", "json", "txt", "dist/LICENSE", "dist/NOTICE"}
    manifest = json.loads((installed / "node_modules/spmlite/package.json").read_text())
    assert set(targets(manifest["exports"])) <= files


def targets(exports: dict[str, Any] | str) -> Iterator[str]:
    """Every file that `exports` of a package.json names."""
    if isinstance(exports, str):
        yield exports.removeprefix("./")
    else:
        for value in exports.values():
            yield from targets(value)


# Gives the examples the models that they load, and the first one's tokenizer.
PREPARE_EXAMPLES = """
import { writeFileSync } from "node:fs";
import { tinyModel, tinyUnigramModel } from "./tiny_model.mjs";
writeFileSync("tokenizer.model", tinyModel());
writeFileSync("unigram.model", tinyUnigramModel());
"""
BEGIN_EXAMPLE = """
import { Tokenizer } from "spmlite";
const tokenizer = await Tokenizer.load("tokenizer.model");
"""


def test_the_readmes_examples_print_what_they_say(package: Path, installed: Path, run: Run) -> None:
    readme = (package / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```js\n(.*?)```", readme, re.DOTALL)
    shutil.copy(package / "test" / "tiny_model.mjs", installed)
    (installed / "prepare.js").write_text(PREPARE_EXAMPLES)
    run("node", "prepare.js", cwd=installed)
    told = 0
    for number, example in enumerate(examples):
        begin = "" if "const tokenizer =" in example else BEGIN_EXAMPLE
        (installed / "example.js").write_text(begin + example, encoding="utf-8")
        printed = run("node", "example.js", cwd=installed)
        for expected in re.findall(r"console\.log\(.*\),?;? // (.*)$", example, re.MULTILINE):
            told += 1
            assert expected in printed, f"example {number}: {expected!r} is not in {printed!r}"
    print(f"\n{len(examples)} examples, {told} results")
    assert told >= 25


@pytest.mark.parametrize("libraries", [["ES2022", "ESNext.Disposable", "DOM"], None])
def test_the_types_satisfy_a_strict_user(
    package: Path, installed: Path, run: Run, libraries: list[str] | None
) -> None:
    """As ESM and as CommonJS, with the DOM's types and without."""
    files = ["program.mts", "program.cts"]
    for file in files:
        (installed / file).write_text(PROGRAM)
    lib = libraries or ["ES2022", "ESNext.Disposable"]
    (installed / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": STRICT | {"lib": lib}, "files": files})
    )
    compiler = package / "node_modules" / "typescript" / "bin" / "tsc"
    run("node", compiler, "-p", installed, cwd=installed)
