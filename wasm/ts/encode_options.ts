// What can be asked of an encoding besides the ids of a text.

import { ControlPieces, type PieceLookup } from "./control_pieces.js";
import { SpmliteError } from "./errors.js";

export interface ControlOptions {
  /**
   * The control pieces, such as `<s>`, that are recognized where the text spells them:
   * some of the model's, or with `true` all. By default none is, so that a text of
   * strangers cannot give an instruction. What lies between two is a text of its own.
   */
  readonly controlPieces?: Iterable<string> | boolean;
}

export interface EncodeOptions extends ControlOptions {
  /** Put the id that begins a sequence in front. */
  readonly addBos?: boolean;
  /** Put the id that ends a sequence at the end. */
  readonly addEos?: boolean;
  /** Give the ids of the text from last to first (before bos and eos are added). */
  readonly reverse?: boolean;
}

/** The model's special ids, -1 for one that it does not have. */
export interface SpecialIds {
  bosId(): number;
  eosId(): number;
}

/** `ids`, with what the options ask for around them. */
export function framed(
  ids: Int32Array,
  options: EncodeOptions,
  model: SpecialIds,
): Int32Array {
  const { addBos = false, addEos = false, reverse = false } = options;
  if (reverse) ids.reverse();
  if (!addBos && !addEos) return ids;
  const begin = addBos ? 1 : 0;
  const whole = new Int32Array(begin + ids.length + (addEos ? 1 : 0));
  if (addBos) whole[0] = required(model.bosId(), "addBos");
  whole.set(ids, begin);
  if (addEos) whole[begin + ids.length] = required(model.eosId(), "addEos");
  return whole;
}

function required(id: number, option: string): number {
  if (id >= 0) return id;
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `${option}: this model has no such piece`,
  );
}

/** The control pieces that were asked for; nothing where there are none. */
export function controlsOf(
  { controlPieces = false }: ControlOptions,
  model: PieceLookup,
): ControlPieces | undefined {
  if (controlPieces === false) return undefined;
  if (controlPieces === true) return ControlPieces.all(model);
  return ControlPieces.some(controlPieces, model);
}
