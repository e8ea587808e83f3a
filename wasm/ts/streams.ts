// Streams of texts and of ids.

import "./web.js";
import type { EncodeOptions } from "./encode_options.js";
import type { Ids } from "./ids.js";

export interface EncodeStreamOptions extends EncodeOptions {
  /**
   * Whether a text is a line, wherever chunks end; lines end in `\n` or `\r\n`, which is no
   * part of them. By default each chunk is a text.
   */
  readonly lines?: boolean;
}

/** What may have to be waited for. */
type MaybeLater<Value> = Value | Promise<Value>;

/**
 * From texts to the ids of each, in order. Where they have to be waited for, `ahead` more
 * texts are encoded meanwhile.
 */
export function encodeStream(
  encode: (text: string) => MaybeLater<Int32Array>,
  { lines = false }: EncodeStreamOptions,
  ahead = 0,
): TransformStream<string, Int32Array> {
  type Controller = TransformStreamDefaultController<Int32Array>;
  const begun: MaybeLater<Int32Array>[] = [];
  let rest = "";
  const begin = (text: string) => {
    const ids = encode(text);
    // One that fails before it is waited for ends the stream then.
    if (ids instanceof Promise) ids.catch(() => {});
    begun.push(ids);
  };
  const give = async (controller: Controller, left: number) => {
    while (begun.length > left) {
      const ids = begun.shift();
      if (ids !== undefined) controller.enqueue(await ids);
    }
  };
  return new TransformStream({
    async transform(chunk, controller) {
      const texts = lines ? (rest + chunk).split("\n") : [chunk];
      if (lines) rest = texts.pop() ?? "";
      for (const text of texts) {
        begin(lines ? text.replace(/\r$/, "") : text);
        await give(controller, ahead);
      }
    },
    async flush(controller) {
      if (rest !== "") begin(rest);
      await give(controller, 0);
    },
  });
}

/** What both kinds of decoders have. */
interface AnyDecoder {
  add(ids: number | Ids): MaybeLater<string>;
  finish(): MaybeLater<string>;
  free(): void;
}

/** From ids to text that is final; the decoder ends with the stream. */
export function decodeStream(
  decoder: AnyDecoder,
): TransformStream<number | Ids, string> {
  type Controller = TransformStreamDefaultController<string>;
  const give = async (text: MaybeLater<string>, controller: Controller) => {
    const found = await text;
    if (found !== "") controller.enqueue(found);
  };
  return new TransformStream({
    transform: (ids, controller) => give(decoder.add(ids), controller),
    async flush(controller) {
      await give(decoder.finish(), controller);
      decoder.free();
    },
  });
}
