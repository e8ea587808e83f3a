import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatByte,
  formatCodePoint,
  measure,
  splitBits,
  takeApart,
} from "../src/lesson/unicode.ts";

function rows(text: string): string[] {
  return takeApart(text).map(({ codePoints }) =>
    codePoints
      .map(
        ({ value, bytes }) =>
          `${formatCodePoint(value)} = ${value}, ${Array.from(bytes, formatByte).join(" ")}`,
      )
      .join("; "),
  );
}

test("single characters from the catalogue to the bytes", () => {
  assert.deepEqual(rows("Aéআ😊👋"), [
    "U+0041 = 65, 41",
    "U+00E9 = 233, C3 A9",
    "U+0986 = 2438, E0 A6 86",
    "U+1F60A = 128522, F0 9F 98 8A",
    "U+1F44B = 128075, F0 9F 91 8B",
  ]);
});

test("a letter with an accent is one grapheme, however it is written", () => {
  assert.deepEqual(rows("é".normalize("NFD")), ["U+0065 = 101, 65; U+0301 = 769, CC 81"]);
});

for (const [text, form, ...expected] of [
  ["cafe", "NFC", 4, 4, 4, 4],
  ["café", "NFC", 4, 4, 5, 4],
  ["café", "NFD", 4, 5, 6, 5],
  ["café 👋", "NFC", 6, 6, 10, 7],
  ["café 👋", "NFD", 6, 7, 11, 8],
] as const) {
  test(`${text} in ${form}: graphemes, code points, bytes, UTF-16 units`, () => {
    const { graphemes, codePoints, bytes, utf16 } = measure(text.normalize(form));
    assert.deepEqual([graphemes, codePoints, bytes, utf16], expected);
  });
}

test("code points and bytes of Bengali and Japanese do not hang on how graphemes are cut", () => {
  const lengths = (text: string) => [measure(text).codePoints, measure(text).bytes];
  assert.deepEqual(lengths("বাংলা 日本語"), [9, 25]);
  assert.deepEqual(lengths("বাংলা ভাষা"), [10, 28]);
  assert.deepEqual(lengths("Tokenization is the first step of every language model."), [55, 55]);
});

test("the bits of a byte begin with a mark", () => {
  assert.deepEqual([0x41, 0xc3, 0xa9, 0xe0, 0xf0].map(splitBits), [
    ["0", "1000001"],
    ["110", "00011"],
    ["10", "101001"],
    ["1110", "0000"],
    ["11110", "000"],
  ]);
});
