// Streams of texts and of ids.

import "./web.js";
import type { EncodeOptions } from "./encode_options.js";
import type { Ids } from "./ids.js";
import type { StreamingDecoder } from "./streaming_decoder.js";

export interface EncodeStreamOptions extends EncodeOptions {
  /**
   * Whether a text is a line, wherever chunks end; lines end in `\n` or `\r\n`, which is no
   * part of them. By default each chunk is a text.
   */
  readonly lines?: boolean;
}

/** From texts to the ids of each. */
export function encodeStream(
  encode: (text: string) => Int32Array,
  { lines = false }: EncodeStreamOptions,
): TransformStream<string, Int32Array> {
  if (!lines) {
    return new TransformStream({
      transform: (text, controller) => controller.enqueue(encode(text)),
    });
  }
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const texts = (rest + chunk).split("\n");
      rest = texts.pop() ?? "";
      for (const text of texts)
        controller.enqueue(encode(text.replace(/\r$/, "")));
    },
    flush(controller) {
      if (rest !== "") controller.enqueue(encode(rest));
    },
  });
}

/** From ids to text that is final; the decoder ends with the stream. */
export function decodeStream(
  makeDecoder: () => StreamingDecoder,
): TransformStream<number | Ids, string> {
  const decoder = makeDecoder();
  const give = (
    text: string,
    controller: TransformStreamDefaultController<string>,
  ) => {
    if (text !== "") controller.enqueue(text);
  };
  return new TransformStream({
    transform: (ids, controller) => give(decoder.add(ids), controller),
    flush(controller) {
      give(decoder.finish(), controller);
      decoder.free();
    },
  });
}
