import { defineConfig } from "vite";
import { beside } from "./vite/beside.ts";
import { contentSecurityPolicy } from "./vite/content-security-policy.ts";
import { precache } from "./vite/precache.ts";
import { prerender } from "./vite/prerender.ts";

export default defineConfig({
  // Relative addresses throughout: the built folder works wherever it is put.
  base: "./",
  build: {
    target: "es2022",
    // An inlined file would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        playground: "index.html",
        lesson: "lesson.html",
        "service-worker": "service-worker/service-worker.ts",
      },
      output: {
        // A service worker governs only what lies beside or below it, and its
        // address may not change with its content.
        entryFileNames: (chunk) =>
          chunk.name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
      },
    },
  },
  // The entry that keeps its WebAssembly in files of their own, which a browser compiles while
  // they arrive.
  resolve: { alias: [{ find: /^spmlite$/, replacement: "spmlite/external" }] },
  // As in the pages: workers import the engine and one another's chunks.
  worker: { format: "es" },
  // Its `new URL("x.wasm", import.meta.url)` must see its own files.
  optimizeDeps: { exclude: ["spmlite"] },
  plugins: [
    contentSecurityPolicy(),
    beside("notebooks", "../notebooks", /\.(ipynb|py)$/),
    beside("licenses", "..", /^(LICENSE|NOTICE)$/),
    beside("licenses", "../LICENSES", /\.txt$/),
    prerender("/index.html", "./src/prerendered.tsx"),
    precache(),
  ],
});
