// Whether bytes are those that were meant: https://www.w3.org/TR/SRI/

import { SpmliteError } from "./errors.js";

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
};

/** An error unless the bytes have this digest, `sha256-` and base64 for one. */
export async function checkIntegrity(
  bytes: Uint8Array,
  integrity: string,
  name: string,
): Promise<void> {
  const [prefix = "", expected = ""] = integrity.trim().split(/-(.*)/s);
  const algorithm = ALGORITHMS[prefix];
  if (algorithm === undefined)
    throw new SpmliteError(
      "INVALID_ARGUMENT",
      `integrity must be sha256-, sha384- or sha512- and a digest in base64, not ${integrity}`,
    );
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined)
    throw new SpmliteError(
      "INVALID_ARGUMENT",
      "integrity cannot be checked here: a page has digests only by https and on localhost",
    );
  const digest = await subtle.digest(algorithm, bytes as BufferSource);
  const found = btoa(String.fromCharCode(...new Uint8Array(digest)));
  if (found === expected) return;
  throw new SpmliteError(
    "INTEGRITY",
    `${name} has the digest ${prefix}-${found}, not ${integrity}: it is another file, or damaged`,
  );
}
