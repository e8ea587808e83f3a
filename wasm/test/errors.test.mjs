// Every failure is an SpmliteError: one sentence, and a code.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { convert, SpmliteError, Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

const model = tinyModel();
let blob;
let tokenizer;
let server;
let origin;

before(async () => {
  blob = await convert(model);
  tokenizer = await Tokenizer.load(model);
  server = createServer((request, response) => {
    response.statusCode = request.url === "/page" ? 200 : 404;
    response.end("<!DOCTYPE html><title>Not found</title>");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${server.address().port}`;
});

after(() => server.close());

const isError = (code, message) => (error) => {
  assert.ok(error instanceof SpmliteError, String(error));
  assert.equal(error.name, "SpmliteError");
  assert.equal(error.code, code);
  assert.match(error.message, message);
  assert.ok(!error.message.includes("\n"), "one line");
  return true;
};

const failsToLoad = (source, code, message) =>
  assert.rejects(Tokenizer.load(source), isError(code, message));

const fails = (call, code, message) =>
  assert.throws(call, isError(code, message));

test("a file that is not there", async () => {
  await failsToLoad("no/such.model", "SOURCE", /^no\/such\.model cannot be/);
  await failsToLoad("file:///no/such.model", "SOURCE", /ENOENT/);
});

test("an address that cannot be fetched", async () => {
  await failsToLoad(`${origin}/m.model`, "SOURCE", /answered 404 Not Found$/);
  await failsToLoad(await fetch(`${origin}/m.model`), "SOURCE", /404/);
  await failsToLoad("http://127.0.0.1:1/", "SOURCE", /cannot be fetched/);
  await failsToLoad("no-such-scheme:x", "SOURCE", /cannot be fetched/);
});

test("a response that was read already", async () => {
  const response = new Response(model);
  await response.arrayBuffer();
  await failsToLoad(response, "SOURCE", /cannot be read to its end/);
});

test("an HTML page instead of a model", async () => {
  await failsToLoad(
    `${origin}/page`,
    "INVALID_MODEL",
    /is an HTML or XML page/,
  );
});

test("other files instead of a model", async () => {
  for (const [content, message] of [
    ["", /is empty/],
    ["\uFEFF\n<!-- moved --><html>", /HTML/],
    ["<?xml version='1.0'?><Error/>", /XML/],
    ['{"version": "1.0"}', /tokenizer\.json: model is missing/],
    ["version https://git-lfs.github.com/spec/v1\n", /pointer of Git LFS/],
    [Uint8Array.of(0x1f, 0x8b, 8, 0), /gzip/],
    ["PK\x03\x04", /zip archive/],
    ["GGUF\x03\0\0\0", /a GGUF file, .*python -m spmlite convert\)$/],
    ["\x7fELF\x02\x01\x01\0\0\0", /bytes 7f 45 4c 46/],
    ["nothing like it", /neither \.spm\.fb nor \.model/],
    ["a", /neither \.spm\.fb nor \.model/],
    ["just text", /^the model/],
    ["\x0a", /^the model/],
    ["\0\0\0\0\0\0\0\0", /neither/],
  ]) {
    await failsToLoad(new Blob([content]), "INVALID_MODEL", message);
  }
});

test("a model that is cut off anywhere", async () => {
  let cuts = 0;
  for (const whole of [blob, model]) {
    for (let size = 0; size < whole.length; size += 7) {
      cuts += 1;
      const cut = Tokenizer.load(whole.subarray(0, size));
      // A .model that ends between two of its fields is whole as far as it goes.
      await cut.catch(isError("INVALID_MODEL", /./));
    }
  }
  console.log(`${cuts} cut-off models`);
});

test("a .spm.fb with a changed byte is refused or still works", async () => {
  let refused = 0;
  for (let at = 0; at < blob.length; ++at) {
    const changed = blob.slice();
    changed[at] ^= 1 << (at % 8);
    try {
      const loaded = await Tokenizer.load(changed);
      loaded.decode(loaded.encode("ab c é🦙"));
    } catch (error) {
      isError("INVALID_MODEL", /./)(error);
      refused += 1;
    }
  }
  console.log(`${refused} of ${blob.length} changed bytes refused`);
});

test("a value that is no source", async () => {
  for (const value of [undefined, null, 7, {}, []]) {
    await failsToLoad(value, "INVALID_ARGUMENT", /^a model is loaded from/);
  }
});

test("a value that is no text", () => {
  for (const value of [undefined, null, 7, {}]) {
    fails(() => tokenizer.encode(value), "INVALID_ARGUMENT", /string/);
    fails(() => tokenizer.normalize(value), "INVALID_ARGUMENT", /string/);
    fails(() => tokenizer.pieceToId(value), "INVALID_ARGUMENT", /string/);
  }
});

test("an id that the model does not have is named", () => {
  const range = /^id 13 .*0 to 12$/;
  fails(() => tokenizer.decode([4, 13]), "OUT_OF_RANGE", range);
  fails(() => tokenizer.idToPiece(13), "OUT_OF_RANGE", range);
  fails(() => tokenizer.score(13), "OUT_OF_RANGE", range);
  fails(() => tokenizer.type(13), "OUT_OF_RANGE", range);
  fails(() => tokenizer.decode([-1]), "OUT_OF_RANGE", /^id -1 /);
  fails(
    () => tokenizer.decode([4, 2 ** 40]),
    "OUT_OF_RANGE",
    /^id 1099511627776/,
  );
  assert.equal(tokenizer.decode([4]), "a", "still usable");
});

test("a value that is no id", () => {
  for (const value of [1.5, Number.NaN, "7", null, 3n]) {
    fails(() => tokenizer.decode([4, value]), "INVALID_ARGUMENT", /position 1/);
    fails(() => tokenizer.idToPiece(value), "INVALID_ARGUMENT", /not an id/);
  }
  for (const value of [undefined, null, 7, "ab"]) {
    fails(() => tokenizer.decode(value), "INVALID_ARGUMENT", /list of ids/);
  }
});

test("a tokenizer that was freed", async () => {
  const freed = await Tokenizer.load(model);
  freed.free();
  freed.free();
  fails(() => freed.encode("ab"), "FREED", /freed/);
  fails(() => freed.decode([4]), "FREED", /freed/);
  fails(() => freed.vocabSize, "FREED", /freed/);
  const disposed = await Tokenizer.load(model);
  disposed[Symbol.dispose]();
  fails(() => disposed.encode("ab"), "FREED", /freed/);
});
