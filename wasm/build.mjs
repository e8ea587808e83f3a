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
  { name: "spmlite-sampling.base64", source: "wasm/spmlite-sampling.base64" },
  { name: "spmlite-convert.base64", source: "wasm/spmlite-convert.base64" },
  { name: "spmlite-readers.base64", source: "wasm/spmlite-readers.base64" },
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
const SHARED = /(errors|\.base64|worker-thread)\.js$/;
const MODULE = /\.wasm(\?module)?$/;

const { version } = JSON.parse(
  await readFile(join(PACKAGE, "package.json"), "utf8"),
);

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
      onResolve({ filter: /^base64:/ }, ({ path }) => ({
        path: join(DIST, path.slice("base64:".length)),
        namespace: "base64",
      }));
      onResolve({ filter: MODULE }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: "base64" }, async ({ path }) => ({
        contents: await readFile(path),
        loader: "base64",
      }));
    },
  };
}

function bundle(script, options) {
  return build({
    entryPoints: { [script.name]: join(TS, `${script.source}.ts`) },
    bundle: true,
    minify: true,
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
