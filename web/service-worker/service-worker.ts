// Keeps the site at hand offline: the first visit stores every file of it, and
// no request ever goes anywhere but to the folder that it was served from.

// A module, so that `self` can be declared anew: as what it is here.
export {};

declare const self: ServiceWorkerGlobalScope & {
  /** The site's files, relative to this script; vite/precache.ts writes it. */
  readonly precache: { version: string; files: readonly string[] };
};

// Another site may share this origin, in another folder: the scope tells them
// apart.
const PREFIX = `spmlite ${self.registration.scope} `;
const CACHE = PREFIX + self.precache.version;

self.addEventListener("install", (event) => {
  event.waitUntil(storeAll());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET") return;
  if (!url.href.startsWith(self.registration.scope)) return;
  event.respondWith(answer(event.request, url));
});

async function storeAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  // "no-cache" asks the server even where the browser holds a copy: that copy
  // may be of an older version.
  const requests = self.precache.files.map((file) => new Request(file, { cache: "no-cache" }));
  await cache.addAll(requests);
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/**
 * A file under assets/ carries the digest of its content in its name, so the
 * stored one is right. Whatever else there is may have changed: the network is
 * asked first.
 */
async function answer(request: Request, url: URL): Promise<Response> {
  if (url.pathname.includes("/assets/")) {
    return (await stored(url)) ?? fetch(request);
  }
  try {
    return await fetch(request);
  } catch (error) {
    const response = await stored(url);
    if (response === undefined) throw error;
    return response;
  }
}

async function stored(url: URL): Promise<Response | undefined> {
  const file = url.pathname.endsWith("/") ? `${url.pathname}index.html` : url.pathname;
  const cache = await caches.open(CACHE);
  return cache.match(new URL(file, url.origin), { ignoreSearch: true });
}
