import "./web.js";
import { messageOf, SpmliteError } from "./errors.js";
import { fetchOk, ok, readIfFile } from "./files.js";
import { checkIntegrity } from "./integrity.js";

/**
 * Where a model comes from: an address (in Node also a path), a request to send, a
 * response to read, a file that a user chose, a stream of bytes, or the bytes themselves.
 */
export type ModelSource =
  | string
  | URL
  | Request
  | Response
  | Blob
  | ReadableStream<Uint8Array>
  | ArrayBuffer
  | ArrayBufferView;

/** How far reading has come. */
export interface Progress {
  /** Bytes read so far. */
  readonly loaded: number;
  /** All bytes; undefined where the server does not tell, or compresses them. */
  readonly total: number | undefined;
}

export interface ReadOptions {
  /** Ends the load, which then rejects with the signal's reason, as `fetch` does. */
  readonly signal?: AbortSignal;
  /** Called as bytes arrive, and once more at the end. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * The digest that the bytes must have, as in HTML: `sha256-` (or 384, 512) and
   * base64. Others are refused with the code `INTEGRITY`.
   */
  readonly integrity?: string;
}

// What a server says of the length is not believed beyond this.
const MOST_TO_SET_ASIDE = 1 << 28;

/** The bytes of a model, and what messages call it. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether they are a `.spm.fb` that was made here, or loaded once and kept since. */
  readonly isChecked?: boolean;
}

interface OpenSource {
  readonly name: string;
  readonly total: number | undefined;
  readonly body: Uint8Array | ReadableStream<Uint8Array> | Whole;
}

/** What can be read in one piece: a Blob, or the body of a Response. */
interface Whole {
  arrayBuffer(): Promise<ArrayBuffer>;
  stream(): ReadableStream<Uint8Array> | null;
}

/** Reads a source to its end. Bytes are not copied. */
export async function readSource(
  source: ModelSource,
  options: ReadOptions = {},
): Promise<NamedBytes> {
  const { signal, onProgress, integrity } = options;
  signal?.throwIfAborted();
  const { name, total, body } = await opened(source, signal);
  const bytes = await readBody(body, name, total, options);
  onProgress?.({ loaded: bytes.length, total: bytes.length });
  if (integrity !== undefined) await checkIntegrity(bytes, integrity, name);
  signal?.throwIfAborted();
  return { name, bytes };
}

/** The bytes of what is in memory already. */
export function bytesOf(
  source: ArrayBuffer | ArrayBufferView,
): Uint8Array | undefined {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (!ArrayBuffer.isView(source)) return undefined;
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

async function opened(
  source: ModelSource,
  signal: AbortSignal | undefined,
): Promise<OpenSource> {
  if (typeof source === "string" || source instanceof URL) {
    const bytes = await readIfFile(source);
    if (bytes !== undefined) return inMemory(bytes, String(source));
    return ofResponse(await fetchOk(source, signal), String(source));
  }
  const bytes = bytesOf(source as ArrayBuffer);
  if (bytes !== undefined) return inMemory(bytes, "the model");
  if (source instanceof Blob)
    return { name: nameOf(source), total: source.size, body: source };
  if (source instanceof Request)
    return ofResponse(await fetchOk(source, signal), source.url);
  if (source instanceof Response) {
    const name = source.url || "the response";
    return ofResponse(ok(source, name), name);
  }
  if (source instanceof ReadableStream)
    return { name: "the stream", total: undefined, body: source };
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    "a model is loaded from a URL, Request, Response, Blob, ReadableStream, ArrayBuffer " +
      `or typed array, not from ${source === null ? "null" : typeof source}`,
  );
}

function inMemory(bytes: Uint8Array, name: string): OpenSource {
  return { name, total: bytes.length, body: bytes };
}

function ofResponse(response: Response, name: string): OpenSource {
  const { headers } = response;
  const plain = headers.get("content-encoding") === null;
  const length = plain ? Number(headers.get("content-length") ?? 0) : 0;
  if (response.bodyUsed) throw unreadable(name, "it was read already");
  return {
    name,
    total: length > 0 ? length : undefined,
    body: {
      arrayBuffer: () => response.arrayBuffer(),
      stream: () => response.body,
    },
  };
}

async function readBody(
  body: OpenSource["body"],
  name: string,
  total: number | undefined,
  options: ReadOptions,
): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const { signal, onProgress } = options;
  try {
    if (body instanceof ReadableStream)
      return await readStream(body, total, options);
    // In one piece: a browser hands over a stream in some hundred.
    if (signal === undefined && onProgress === undefined)
      return new Uint8Array(await body.arrayBuffer());
    const stream = body.stream();
    if (stream === null) return new Uint8Array();
    return await readStream(stream, total, options);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw unreadable(name, messageOf(cause), cause);
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  total: number | undefined,
  { signal, onProgress }: ReadOptions,
): Promise<Uint8Array> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", stop);
  try {
    // Copied as they come: what is left to do when the last have come is waited for.
    let bytes = new Uint8Array(Math.min(total ?? 0, MOST_TO_SET_ASIDE));
    let loaded = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return bytes.subarray(0, loaded);
      if (!(value instanceof Uint8Array))
        throw new TypeError("the stream gives something other than bytes");
      bytes = withRoomFor(bytes, loaded, loaded + value.length);
      bytes.set(value, loaded);
      loaded += value.length;
      onProgress?.({ loaded, total });
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The same bytes, with room for `needed`; they move to a block of twice the size at least. */
function withRoomFor(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  needed: number,
): Uint8Array<ArrayBuffer> {
  if (needed <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(needed, 2 * bytes.length));
  larger.set(bytes.subarray(0, size));
  return larger;
}

function unreadable(name: string, why: string, cause?: unknown): SpmliteError {
  const message = `${name} cannot be read to its end: ${why}`;
  return new SpmliteError("SOURCE", message, { cause });
}

function nameOf(blob: Blob): string {
  return blob instanceof File && blob.name !== "" ? blob.name : "the model";
}
