// Tokens in formats that other programs read.

import type { EncodingWithOffsets, Tokenizer } from "spmlite";
import type { ExportFormat } from "./messages.ts";

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  ids: "text/plain",
  json: "application/json",
  csv: "text/csv",
};

/** What a text became, as a file. */
export function exportTokens(tokenizer: Tokenizer, text: string, format: ExportFormat): Blob {
  const encoding = tokenizer.encodeWithOffsets(text);
  return new Blob([write[format](tokenizer, text, encoding)], { type: MEDIA_TYPES[format] });
}

type Write = (tokenizer: Tokenizer, text: string, encoding: EncodingWithOffsets) => string;

const write: Readonly<Record<ExportFormat, Write>> = {
  ids: (_tokenizer, _text, { ids }) => ids.join(" "),
  json: (tokenizer, text, encoding) =>
    `${JSON.stringify({ text, tokens: rows(tokenizer, encoding) }, undefined, 1)}\n`,
  // RFC 4180.
  csv: (tokenizer, _text, encoding) => {
    const fields = rows(tokenizer, encoding).map((row) => Object.values(row).map(csvField));
    return [HEAD, ...fields].map((line) => `${line.join(",")}\r\n`).join("");
  },
};

const HEAD = ["id", "piece", "type", "score", "begin", "end", "byteBegin", "byteEnd"] as const;
type Row = Readonly<Record<(typeof HEAD)[number], string | number>>;

/** `begin` and `end` count UTF-16 units. */
function rows(tokenizer: Tokenizer, encoding: EncodingWithOffsets): Row[] {
  const { ids, pieces, offsets, byteOffsets } = encoding;
  return Array.from(ids, (id, i) => ({
    id,
    piece: pieces[i] ?? "",
    type: tokenizer.type(id),
    score: tokenizer.score(id),
    begin: offsets[2 * i] ?? 0,
    end: offsets[2 * i + 1] ?? 0,
    byteBegin: byteOffsets[2 * i] ?? 0,
    byteEnd: byteOffsets[2 * i + 1] ?? 0,
  }));
}

function csvField(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
