// Models that are kept in the browser's Cache API, ready for use, so that a second
// visit neither fetches nor converts them.

import "./web.js";
import type { ModelSource } from "./source.js";
import { VERSION } from "./version.js";

export interface CacheOptions {
  /**
   * Whether to keep the model in the Cache API, as it is after conversion, and to take it
   * from there the next time: by its address, this package's version and `integrity`. A
   * string names the cache, which is "spmlite" otherwise. Only what comes from an address
   * is kept, and only where there is a Cache API; otherwise the load is as without.
   * What is kept is used until it is deleted, by `caches.delete("spmlite")` for one.
   */
  readonly cache?: boolean | string;
}

const NAME = "spmlite";

export class ModelCache {
  readonly #name: string;
  readonly #key: string;

  private constructor(name: string, key: string) {
    this.#name = name;
    this.#key = key;
  }

  /** Nothing where it is not wanted, or the source cannot be kept. */
  static of(
    source: ModelSource,
    { cache = false }: CacheOptions,
    integrity = "",
  ): ModelCache | undefined {
    // Asked first, since Node loads much to know what a Request is.
    if (cache === false || typeof caches === "undefined") return undefined;
    const address = addressOf(source);
    if (address === undefined) return undefined;
    // The Cache API takes addresses of http alone; .invalid is no one's.
    const key = new URL("https://spmlite.invalid/");
    key.pathname = encodeURIComponent(address);
    key.search = String(new URLSearchParams({ version: VERSION, integrity }));
    return new ModelCache(cache === true ? NAME : cache, key.href);
  }

  /** The bytes that were kept; nothing also where the user forbids storage. */
  async read(): Promise<Uint8Array | undefined> {
    try {
      // Opening the cache first would be a second way to another process and back.
      const name = { cacheName: this.#name };
      const kept = await caches.match(this.#key, name);
      if (kept === undefined) return undefined;
      // By way of a blob it comes in one piece, in half the time.
      return new Uint8Array(await (await kept.blob()).arrayBuffer());
    } catch {
      return undefined;
    }
  }

  /** Keeps bytes in place of what was kept of the same address. */
  async keep(bytes: Uint8Array): Promise<void> {
    try {
      const cache = await caches.open(this.#name);
      await cache.delete(this.#key, { ignoreSearch: true });
      await cache.put(this.#key, new Response(bytes as BufferSource));
    } catch {
      // Full, or forbidden: the next load takes the longer way again.
    }
  }
}

function addressOf(source: ModelSource): string | undefined {
  if (source instanceof Request)
    return source.method === "GET" ? source.url : undefined;
  if (typeof source !== "string" && !(source instanceof URL)) return undefined;
  try {
    const base = globalThis.location?.href;
    const { href, protocol } = new URL(source, base);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
