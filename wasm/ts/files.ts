// Files and addresses: Node's fetch reads no `file:` addresses, and a browser has
// no files, so that each address is read in the way that its scheme asks for.

import { messageOf, SpmliteError } from "./errors.js";

interface FileReader {
  readFile(path: string | URL): Promise<Uint8Array>;
}

// process.getBuiltinModule, unlike an import, leaves nothing for a bundler to
// stumble over: https://nodejs.org/api/process.html#processgetbuiltinmoduleid
interface Host {
  process?: { getBuiltinModule?: (name: "node:fs/promises") => FileReader };
}

function fileReader(): FileReader | undefined {
  return (globalThis as Host).process?.getBuiltinModule?.("node:fs/promises");
}

// Two letters at least: C:\models is a path.
const SCHEME = /^[a-z][a-z\d+.-]+:/i;

/** The bytes of a file, or nothing where `address` is to be fetched. */
export async function readIfFile(
  address: string | URL,
): Promise<Uint8Array | undefined> {
  const path = pathOf(address);
  const reader = path === undefined ? undefined : fileReader();
  if (path === undefined || reader === undefined) return undefined;
  try {
    return await reader.readFile(path);
  } catch (cause) {
    throw new SpmliteError(
      "SOURCE",
      `${address} cannot be read: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function pathOf(address: string | URL): string | URL | undefined {
  const text = String(address);
  if (/^file:/i.test(text)) return new URL(text);
  return SCHEME.test(text) ? undefined : text;
}

/** The answer to a request, once its status tells success. */
export async function fetchOk(
  request: string | URL | Request,
  signal?: AbortSignal,
): Promise<Response> {
  const address = request instanceof Request ? request.url : String(request);
  let response: Response;
  try {
    response = await fetch(request, signal && { signal });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const message = `${address} cannot be fetched: ${messageOf(cause)}`;
    throw new SpmliteError("SOURCE", message, { cause });
  }
  return ok(response, address);
}

/** The same response; an error where its status is one, such as 404. */
export function ok(response: Response, address: string): Response {
  if (response.ok) return response;
  const answer = `${response.status} ${response.statusText}`.trim();
  throw new SpmliteError(
    "SOURCE",
    `${address} cannot be fetched: the server answered ${answer}`,
  );
}
