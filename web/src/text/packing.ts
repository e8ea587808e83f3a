// Text as letters that an address may hold: deflated, then base64url (RFC 4648, section 5).

export async function packText(text: string): Promise<string> {
  const packed = through(new Blob([text]), new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Rejects where the letters are none that `packText` gave. */
export function unpackText(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return through(new Blob([bytes]), new DecompressionStream("deflate-raw")).text();
}

function through(blob: Blob, transform: CompressionStream | DecompressionStream): Response {
  return new Response(blob.stream().pipeThrough(transform));
}
