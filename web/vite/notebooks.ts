import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Lays the notebooks of a folder, and what they import, beside the pages, in notebooks/. */
export function notebooks(folder: string): Plugin {
  return {
    name: "notebooks",
    apply: "build",
    generateBundle() {
      for (const name of readdirSync(folder)) {
        if (!/\.(ipynb|py)$/.test(name)) continue;
        const source = readFileSync(join(folder, name));
        this.emitFile({ type: "asset", fileName: `notebooks/${name}`, source });
      }
    },
  };
}
