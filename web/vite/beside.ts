import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Plugin } from "vite";

/**
 * Lays the files of a folder whose names match beside the pages, in the folder `into`. What has no
 * ending gets `.txt`, without which a browser saves it and does not show it.
 */
export function beside(into: string, folder: string, names: RegExp): Plugin {
  return {
    name: `beside ${folder}`,
    apply: "build",
    generateBundle() {
      for (const name of readdirSync(folder).filter((each) => names.test(each))) {
        const fileName = `${into}/${name}${extname(name) === "" ? ".txt" : ""}`;
        this.emitFile({ type: "asset", fileName, source: readFileSync(join(folder, name)) });
      }
    },
  };
}
