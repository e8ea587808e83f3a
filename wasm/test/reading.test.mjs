// How a model is read: aborted, with progress, checked against a digest, kept.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { convert, SpmliteError, Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

const model = tinyModel();
let blob;
let server;
let origin;
let requests = 0;

before(async () => {
  blob = await convert(model);
  server = createServer((request, response) => {
    requests += 1;
    if (request.url === "/slow") {
      response.writeHead(200, { "content-length": blob.length });
      response.write(blob.subarray(0, 10)); // and nothing more
    } else if (request.url === "/broken") {
      response.writeHead(200, { "content-length": blob.length });
      response.write(blob.subarray(0, 10), () => response.destroy());
    } else {
      const body = request.url === "/tiny.model" ? model : blob;
      response.writeHead(200, { "content-length": body.length });
      response.end(body);
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const digest = (bytes, algorithm = "sha256") =>
  `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;

/** A stream of the bytes in small parts. */
function streamOf(bytes, size = 100) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

test("a stream of bytes", async () => {
  for (const bytes of [model, blob]) {
    const tokenizer = await Tokenizer.load(streamOf(bytes));
    assert.deepEqual([...tokenizer.encode("ab")], [8]);
  }
  const ofText = new Blob(["text"]).stream();
  await assert.rejects(
    Tokenizer.load(ofText.pipeThrough(new TextDecoderStream())),
    { code: "SOURCE", message: /other than bytes/ },
  );
});

test("a load that was aborted before it began", async () => {
  const signal = AbortSignal.abort();
  const before = requests;
  for (const source of [`${origin}/x`, new Blob([blob]), blob, streamOf(blob)])
    await assert.rejects(Tokenizer.load(source, { signal }), {
      name: "AbortError",
    });
  assert.equal(requests, before, "nothing was asked for");
});

test("a load that is aborted on its way", async () => {
  for (const source of [`${origin}/slow`, new Request(`${origin}/slow`)]) {
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = () => controller.abort(new Error("changed my mind"));
    const loading = Tokenizer.load(source, { signal, onProgress });
    await assert.rejects(loading, /changed my mind/);
  }
  const loading = Tokenizer.load(await fetch(`${origin}/slow`), {
    signal: AbortSignal.timeout(20),
  });
  await assert.rejects(loading, { name: "TimeoutError" });
});

test("a stream is told that nobody waits any more", async () => {
  let told;
  const stream = new ReadableStream({
    cancel: (reason) => {
      told = reason;
    },
  });
  const signal = AbortSignal.timeout(5);
  await assert.rejects(Tokenizer.load(stream, { signal }));
  assert.equal(told, signal.reason);
});

test("a connection that breaks", async () => {
  await assert.rejects(Tokenizer.load(`${origin}/broken`), {
    code: "SOURCE",
    message: /\/broken cannot be read to its end/,
  });
});

test("progress is told as bytes arrive", async () => {
  const told = [];
  const onProgress = ({ loaded, total }) => told.push([loaded, total]);
  await Tokenizer.load(`${origin}/tiny.spm.fb`, { onProgress });
  assert.deepEqual(told.at(-1), [blob.length, blob.length]);
  assert.ok(told.every(([loaded, total]) => loaded <= total));

  told.length = 0;
  await Tokenizer.load(streamOf(blob), { onProgress });
  const steps = Math.ceil(blob.length / 100);
  assert.equal(told.length, steps + 1);
  assert.deepEqual(told[0], [100, undefined]);
  assert.deepEqual(told.at(-1), [blob.length, blob.length]);
});

test("a digest that is right, and one that is not", async () => {
  for (const algorithm of ["sha256", "sha384", "sha512"]) {
    const integrity = digest(blob, algorithm);
    await Tokenizer.load(`${origin}/tiny.spm.fb`, { integrity });
    await Tokenizer.load(blob, { integrity });
    await assert.rejects(
      Tokenizer.load(`${origin}/tiny.model`, { integrity }),
      (error) => {
        assert.ok(error instanceof SpmliteError);
        assert.equal(error.code, "INTEGRITY");
        assert.ok(error.message.includes(digest(model, algorithm)));
        return true;
      },
    );
  }
  for (const integrity of ["", "md5-abc", "sha256"])
    await assert.rejects(Tokenizer.load(blob, { integrity }), {
      code: integrity === "sha256" ? "INTEGRITY" : "INVALID_ARGUMENT",
    });
});

/** The Cache API, which Node lacks; tests/npm has the real one, in Chromium. */
class FakeCaches {
  kept = new Map();
  async match(key, { cacheName }) {
    return cacheName === "spmlite" ? this.kept.get(key)?.clone() : undefined;
  }
  async open() {
    const { kept } = this;
    return {
      put: async (key, response) => void kept.set(key, response),
      delete: async (key) => {
        const path = key.replace(/\?.*/, "");
        for (const other of kept.keys())
          if (other.startsWith(`${path}?`)) kept.delete(other);
      },
    };
  }
}

test("a model that is kept is neither fetched nor converted again", async (t) => {
  const fake = new FakeCaches();
  globalThis.caches = fake;
  t.after(() => delete globalThis.caches);
  const address = `${origin}/tiny.model`;
  const before = requests;
  for (const source of [address, new URL(address), new Request(address)]) {
    const tokenizer = await Tokenizer.load(source, { cache: true });
    assert.deepEqual([...tokenizer.encode("ab")], [8]);
  }
  assert.equal(requests - before, 1);
  const [kept] = [...fake.kept.values()];
  assert.deepEqual(new Uint8Array(await kept.clone().arrayBuffer()), blob);

  const integrity = digest(model);
  await Tokenizer.load(address, { cache: true, integrity });
  assert.equal(requests - before, 2, "another digest is another model");
  assert.equal(fake.kept.size, 1, "in the place of the first");
});

test("where nothing can be kept the load is as without", async (t) => {
  const address = `${origin}/tiny.model`;
  await Tokenizer.load(address, { cache: true });
  const full = () => Promise.reject(new DOMException("", "QuotaExceededError"));
  t.after(() => delete globalThis.caches);
  globalThis.caches = { match: full, open: full };
  await Tokenizer.load(address, { cache: true });
  const cache = { delete: full, put: full };
  const match = async () => undefined;
  globalThis.caches = { match, open: async () => cache };
  await Tokenizer.load(address, { cache: "mine" });
  await Tokenizer.load(model, { cache: true });
});

test("converting gives bytes to be kept", async () => {
  assert.deepEqual(await convert(`${origin}/tiny.model`), blob);
  assert.deepEqual(await convert(blob), blob);
  const copy = await convert(blob);
  copy.fill(0);
  assert.notEqual(blob[4], 0, "a copy");
  await assert.rejects(convert(new Blob(["text"])), { code: "INVALID_MODEL" });
});
