// Telling of a text by its changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeTeller, changed } from "../src/text/change.ts";

const LONG = "All human beings are born free and equal. 👋🏽\n".repeat(2_000);

test("a listener that is told of changes alone has the text", () => {
  const teller = new ChangeTeller();
  let heard = "";
  const middle = LONG.length / 2;
  const texts = [
    "a",
    "",
    "aa",
    "aaa",
    "a",
    LONG,
    `${LONG.slice(0, middle)}x${LONG.slice(middle)}`,
    LONG,
    `${LONG}${LONG}`,
    LONG.slice(50_000),
    "lone \ud83d",
    "lone \udc4b",
  ];
  for (const text of texts) {
    heard = changed(heard, teller.changeTo(text));
    assert.equal(heard, text);
  }
});

test("a key in a long text is told as a key", () => {
  const teller = new ChangeTeller();
  teller.changeTo(LONG);
  const typed = `${LONG.slice(0, 40_000)}x${LONG.slice(40_000)}`;
  assert.deepEqual(teller.changeTo(typed), { begin: 40_000, end: 40_000, inserted: "x" });
  assert.deepEqual(teller.changeTo(typed), { begin: 0, end: 0, inserted: "" });
  assert.deepEqual(teller.changeTo(LONG), { begin: 40_000, end: 40_001, inserted: "" });
});
