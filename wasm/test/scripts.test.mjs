// What the minified scripts show of themselves.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inspect } from "node:util";
import { tinyModel } from "./tiny_model.mjs";

const DIST = new URL("../dist/", import.meta.url);
const require = createRequire(import.meta.url);

test("a line of a script is short", () => {
  // esbuild's lineLimit is 200, but for templates and regular expressions.
  const limit = 800;
  const files = readdirSync(DIST, { recursive: true });
  const scripts = files.filter((file) => file.endsWith(".js"));
  let longest = 0;
  for (const script of scripts) {
    for (const line of readFileSync(new URL(script, DIST), "utf8").split("\n"))
      longest = Math.max(longest, line.length);
  }
  console.log(`${scripts.length} scripts, the longest line ${longest}`);
  assert.ok(scripts.length > 15 && longest <= limit);
});

test("an error that nobody catches prints its message and little else", () => {
  const load = (script) =>
    `import { Tokenizer } from "${new URL(script, DIST)}";
     await Tokenizer.load("nope.model");`;
  for (const script of ["index.js", "external.js"]) {
    const options = { input: load(script), encoding: "utf8" };
    const { stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "-"],
      options,
    );
    assert.match(stderr, /^SpmliteError: nope\.model cannot be read: ENOENT/m);
    assert.ok(stderr.length < 3000, `${stderr.length} units`);
  }
});

test("objects and errors are shown by the names of their classes", async () => {
  let shown = 0;
  const isNamed = (thing, name) => {
    assert.equal(thing.constructor.name, name);
    assert.ok(inspect(thing).startsWith(name), inspect(thing));
    ++shown;
  };
  for (const script of ["index", "external", "worker"]) {
    const ofModules = await import(`../dist/${script}.js`);
    for (const entry of [ofModules, require(`../dist/cjs/${script}.js`)]) {
      const kind = script === "worker" ? "Worker" : "";
      const { [`${kind}Tokenizer`]: Tokenizer, SpmliteError } = entry;
      const tokenizer = await Tokenizer.load(tinyModel());
      isNamed(tokenizer, `${kind}Tokenizer`);
      isNamed(tokenizer.streamingDecoder(), `${kind}StreamingDecoder`);
      tokenizer.free();
      const error = await Tokenizer.load("nope.model").catch((error) => error);
      isNamed(error, "SpmliteError");
      assert.ok(error instanceof SpmliteError);
      assert.equal(error.name, "SpmliteError");
      assert.match(error.stack, /^SpmliteError: nope\.model/);
      assert.equal(Object.hasOwn(error, "name"), false);
    }
  }
  console.log(`${shown} shown`);
});
