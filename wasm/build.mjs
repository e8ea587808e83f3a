// The scripts of the package, from ts/ into dist/; wasm/build.py runs this after the
// modules are there.
//
// Each entry becomes one file for ESM and, below dist/cjs/, one for CommonJS. They differ
// in how they come to the WebAssembly modules: each has a file of ts/wasm/ of its
// own. What all entries share as one thing is a file of its own: the class of errors,
// so that `instanceof` works across entries, and what is loaded only when it is needed.

import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const TS = join(PACKAGE, "ts");
const DIST = join(PACKAGE, "dist");
const CJS = join(DIST, "cjs");

/** The name of each script, what it is made from, and the file of ts/wasm/. */
const SCRIPTS = [
  { name: "errors", source: "errors" },
  { name: "spmlite-sampling.packed", source: "wasm/spmlite-sampling.packed" },
  { name: "spmlite-convert.packed", source: "wasm/spmlite-convert.packed" },
  { name: "spmlite-readers.packed", source: "wasm/spmlite-readers.packed" },
  { name: "index", source: "index", wasm: "inlined" },
  { name: "external", source: "index", wasm: "external", isPlaced: true },
  { name: "transformers", source: "transformers" },
  { name: "worker", source: "worker", wasm: "inlined", isPlaced: true },
  {
    name: "worker-thread",
    source: "worker_thread",
    wasm: "given",
    isAlone: true,
  },
];
/** Conditions of platforms that know ESM alone. */
const PLATFORMS = [
  { name: "workerd", source: "index", wasm: "workerd" },
  { name: "edge-light", source: "index", wasm: "edge_light" },
];
const SHARED = /(errors|\.packed|worker-thread)\.js$/;
const MODULE = /\.wasm(\?module)?$/;

const { version } = JSON.parse(
  await readFile(join(PACKAGE, "package.json"), "utf8"),
);

/** Printable ASCII but for what strings and pages give a meaning; see ts/wasm/inlined.ts. */
const SYMBOLS = Array.from({ length: 127 - 35 }, (_, i) =>
  String.fromCharCode(35 + i),
).filter((symbol) => symbol !== "<" && symbol !== "\\");
const SINGLE = SYMBOLS.length - 2;

/** Bytes as a string, the most frequent ones as one symbol each. */
function pack(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) ++counts[byte];
  const byRank = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const symbols = [];
  byRank.forEach((byte, rank) => {
    const more = rank - SINGLE;
    const first = SYMBOLS[SINGLE + Math.floor(more / SYMBOLS.length)];
    symbols[byte] =
      more < 0 ? SYMBOLS[rank] : first + SYMBOLS[more % SYMBOLS.length];
  });
  const head = Buffer.from(byRank).toString("hex");
  return head + Array.from(bytes, (byte) => symbols[byte]).join("");
}

function addresses(script) {
  return {
    name: "addresses",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/wasm\/inlined\.js$/ }, () => ({
        path: join(TS, "wasm", `${script.wasm}.ts`),
      }));
      onResolve({ filter: SHARED }, ({ kind, path }) =>
        kind === "entry-point" || script.isAlone
          ? undefined
          : { path: `./${basename(path)}`, external: true },
      );
      onResolve({ filter: /^packed:/ }, ({ path }) => ({
        path: join(DIST, path.slice("packed:".length)),
        namespace: "packed",
      }));
      onResolve({ filter: MODULE }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: "packed" }, async ({ path }) => ({
        contents: pack(await readFile(path)),
        loader: "text",
      }));
    },
  };
}

function bundle(script, options) {
  return build({
    entryPoints: { [script.name]: join(TS, `${script.source}.ts`) },
    bundle: true,
    minify: true,
    // Engines print the line that an uncaught error was thrown on. esbuild breaks strings,
    // so also the inlined module, and no template or regular expression.
    lineLimit: 200,
    charset: "utf8",
    legalComments: "none",
    target: "es2022",
    plugins: [addresses(script)],
    logLevel: "warning",
    // ts/web.ts is types alone.
    logOverride: { "ignored-bare-import": "silent" },
    ...options,
    define: { SPMLITE_VERSION: JSON.stringify(version), ...options.define },
  });
}

/** import() becomes require(), so that nothing of ESM is left. */
const COMMONJS = {
  outdir: CJS,
  format: "cjs",
  platform: "node",
  supported: { "dynamic-import": false },
};
/** In CommonJS a script knows its own place by another name. */
const PLACED = {
  define: { "import.meta.url": "here" },
  inject: [join(TS, "wasm", "here.mjs")],
};

async function describeForCommonJs() {
  await mkdir(CJS, { recursive: true });
  await writeFile(join(CJS, "package.json"), '{ "type": "commonjs" }\n');
  const files = await readdir(DIST, { recursive: true });
  const types = files.filter((file) => file.endsWith(".d.ts"));
  await mkdir(join(CJS, "wasm"), { recursive: true });
  for (const file of types.filter((file) => !file.startsWith("cjs")))
    await copyFile(join(DIST, file), join(CJS, file));
}

await Promise.all([
  ...[...SCRIPTS, ...PLATFORMS].map((script) =>
    bundle(script, { outdir: DIST, format: "esm" }),
  ),
  ...SCRIPTS.filter(({ isAlone }) => !isAlone).map((script) =>
    bundle(script, { ...COMMONJS, ...(script.isPlaced ? PLACED : {}) }),
  ),
  describeForCommonJs(),
]);
