import { signal } from "@preact/signals";
import { siteAddress } from "../site.ts";

/** Whether the service worker holds the whole site. */
export const isStored = signal(false);

/**
 * Starts the service worker that stores the site. Where there can be none (an
 * address without https, a private window), the page works all the same, online.
 */
export async function storeForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(siteAddress("service-worker.js"));
    await navigator.serviceWorker.ready;
    isStored.value = true;
  } catch {
    isStored.value = false;
  }
}
