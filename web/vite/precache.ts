import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

const SERVICE_WORKER = "service-worker.js";

/**
 * Tells the service worker which files make up the site: it begins with
 * `self.precache = { version, files }`. The version is a digest of them all, so
 * that a browser sees a new service worker exactly when a file has changed.
 */
export function precache(): Plugin {
  let publicFolder = "";
  return {
    name: "precache",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      publicFolder = config.publicDir;
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const worker = bundle[SERVICE_WORKER];
        if (worker?.type !== "chunk") {
          this.error(`the build made no ${SERVICE_WORKER}`);
        }
        const contents = new Map([...bundledFiles(bundle), ...filesOf(publicFolder)]);
        contents.delete(SERVICE_WORKER);
        const list = JSON.stringify({
          version: digest([...contents, [SERVICE_WORKER, worker.code]]),
          files: [...contents.keys()].sort(),
        });
        worker.code = `self.precache=${list};\n${worker.code}`;
      },
    },
  };
}

type Contents = [name: string, content: string | Uint8Array];

function bundledFiles(bundle: Rolldown.OutputBundle): Contents[] {
  return Object.values(bundle).map((file) => [
    file.fileName,
    file.type === "chunk" ? file.code : file.source,
  ]);
}

function filesOf(folder: string): Contents[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.length + 1).replaceAll("\\", "/");
      return [name, readFileSync(path)];
    });
}

function digest(contents: Contents[]): string {
  const hash = createHash("sha256");
  for (const [name, content] of contents) {
    hash.update(name).update("\0").update(content).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
