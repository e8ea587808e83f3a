// A worker for workerd, to be bundled: takes a model, then lines, and answers their ids.

import { Tokenizer } from "spmlite";

let tokenizer;

function encode(line) {
  const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets(line);
  return [[ids.length], [...ids], [...offsets], [...byteOffsets]].flat();
}

export default {
  async fetch(request) {
    if (new URL(request.url).pathname === "/model") {
      tokenizer = await Tokenizer.load(await request.arrayBuffer());
      return new Response("loaded");
    }
    const lines = await request.json();
    return new Response(Int32Array.from(lines.flatMap(encode)));
  },
};
