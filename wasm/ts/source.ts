// From whatever holds a model to its bytes.

import { messageOf, SpmliteError } from "./errors.js";
import { fetchOk, ok, readIfFile } from "./files.js";

/**
 * Where a model comes from: an address (in Node also a path), a request to send, a
 * response to read, a file that a user chose, or the bytes themselves.
 */
export type ModelSource =
  | string
  | URL
  | Request
  | Response
  | Blob
  | ArrayBuffer
  | ArrayBufferView;

/** The bytes of a model, and what messages call it. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads a source to its end. Bytes are not copied. */
export async function readSource(source: ModelSource): Promise<NamedBytes> {
  if (typeof source === "string" || source instanceof URL)
    return readAddress(source);
  if (source instanceof ArrayBuffer)
    return { name: "the model", bytes: new Uint8Array(source) };
  if (ArrayBuffer.isView(source))
    return { name: "the model", bytes: bytesOf(source) };
  if (source instanceof Blob) return readBody(source, nameOf(source));
  if (source instanceof Request)
    return readBody(await fetchOk(source), source.url);
  if (source instanceof Response) {
    const name = source.url || "the response";
    return readBody(ok(source, name), name);
  }
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    "a model is loaded from a URL, Request, Response, Blob, ArrayBuffer or typed array, " +
      `not from ${source === null ? "null" : typeof source}`,
  );
}

async function readAddress(address: string | URL): Promise<NamedBytes> {
  const name = String(address);
  const bytes = await readIfFile(address);
  return bytes === undefined
    ? readBody(await fetchOk(address), name)
    : { name, bytes };
}

async function readBody(
  body: Blob | Response,
  name: string,
): Promise<NamedBytes> {
  try {
    return { name, bytes: new Uint8Array(await body.arrayBuffer()) };
  } catch (cause) {
    const message = `${name} cannot be read to its end: ${messageOf(cause)}`;
    throw new SpmliteError("SOURCE", message, { cause });
  }
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function nameOf(blob: Blob): string {
  return blob instanceof File && blob.name !== "" ? blob.name : "the model";
}
