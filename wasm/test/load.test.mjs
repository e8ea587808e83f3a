// Where a model can come from.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { convert, Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

const model = tinyModel();
const TEXT = "ab c é🦙";
let blob;
let expected;
let folder;
let server;
let origin;

before(async () => {
  blob = await convert(model);
  expected = (await Tokenizer.load(model)).encode(TEXT);
  folder = await mkdtemp(join(tmpdir(), "spmlite-"));
  await writeFile(join(folder, "tiny.model"), model);
  await writeFile(join(folder, "tiny.spm.fb"), blob);
  server = createServer((_, response) => response.end(blob));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${server.address().port}`;
});

after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function loads(source) {
  const tokenizer = await Tokenizer.load(source);
  assert.deepEqual(tokenizer.encode(TEXT), expected);
}

test("from a path, absolute or relative", async () => {
  await loads(join(folder, "tiny.model"));
  await loads(relative(process.cwd(), join(folder, "tiny.spm.fb")));
});

test("from a file: address, as a string or a URL", async () => {
  const address = pathToFileURL(join(folder, "tiny.spm.fb"));
  await loads(address);
  await loads(address.href);
});

test("from an http: address, a Request or a Response", async () => {
  await loads(`${origin}/tiny.spm.fb`);
  await loads(new URL(`${origin}/tiny.spm.fb`));
  await loads(new Request(`${origin}/tiny.spm.fb`));
  await loads(await fetch(`${origin}/tiny.spm.fb`));
  await loads(new Response(model));
});

test("from a data: or blob: address", async () => {
  const base64 = Buffer.from(model).toString("base64");
  await loads(`data:application/octet-stream;base64,${base64}`);
  const address = URL.createObjectURL(new Blob([blob]));
  await loads(address);
  URL.revokeObjectURL(address);
});

test("from a Blob or a File", async () => {
  await loads(new Blob([model]));
  await loads(new File([blob], "tiny.spm.fb"));
});

test("from bytes, also in the middle of a buffer", async () => {
  const around = new Uint8Array(blob.length + 20);
  around.set(blob, 7);
  await loads(blob);
  await loads(blob.buffer);
  await loads(around.subarray(7, 7 + blob.length));
  await loads(new DataView(around.buffer, 7, blob.length));
});

// The same file as a writer would leave it that knows none of our fields: without the
// identifier, and with a root table whose checksum (field 19 of
// core/schema/sentencepiece_lite.fbs) is not there.
function asOthersWriteIt(bytes) {
  const written = bytes.slice().fill(0, 4, 8);
  const view = new DataView(written.buffer);
  const root = view.getUint32(0, true);
  const fields = root - view.getInt32(root, true);
  view.setUint16(fields + 4 + 2 * 19, 0, true);
  return written;
}

test("from a .spm.fb without our identifier and checksum, as other writers leave it", async () => {
  await loads(asOthersWriteIt(blob));
});

test("not from one of ours that lost its identifier: it was altered", async () => {
  await assert.rejects(Tokenizer.load(blob.slice().fill(0, 4, 8)), {
    code: "INVALID_MODEL",
    message: /altered/,
  });
});

test("bytes may change after the load", async () => {
  const bytes = blob.slice();
  const tokenizer = await Tokenizer.load(bytes);
  bytes.fill(0);
  assert.deepEqual(tokenizer.encode(TEXT), expected);
});

test("several loads at once", async () => {
  await Promise.all(Array.from({ length: 20 }, () => loads(model)));
});

/** The memory of this process, in megabytes. */
const resident = () => process.memoryUsage().rss / 1e6;

test("many tokenizers give their memory back, freed and never freed", async () => {
  const ROUNDS = 10_000;
  const MEGABYTES = 200; // an instance that stayed would be one of 1 MB
  await Tokenizer.load(blob);
  const before = resident();
  for (let round = 0; round < ROUNDS; ++round) {
    const tokenizer = await Tokenizer.load(blob);
    if (round % 2 === 0) tokenizer.free();
  }
  const grown = Math.round(resident() - before);
  console.log(`${ROUNDS} tokenizers loaded, ${grown} MB more`);
  assert.ok(grown < MEGABYTES);
});
