// Models small enough to be written here, so that every id can be told by hand.

/** Piece.Type of sentencepiece_model.proto. */
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;

/** TrainerSpec.ModelType of sentencepiece_model.proto. */
const UNIGRAM = 1;
const BPE = 2;

/** The pieces of `tinyModel`, by id. */
export const PIECES = [
  "<unk>",
  "<s>",
  "</s>",
  "▁",
  "a",
  "b",
  "c",
  "ab",
  "▁ab",
  "é",
  "🦙",
  "\uFFFD",
  "\uFEFF",
];

/** The bytes of a `.model`: BPE, with a dummy prefix, all spaces kept. */
export function tinyModel() {
  return modelOf(BPE);
}

/** The same pieces, as a Unigram model. */
export function tinyUnigramModel() {
  return modelOf(UNIGRAM);
}

/** The same pieces; those that begin and end a sequence are pieces like others. */
export function tinyModelWithoutBos() {
  return modelOf(BPE, [UNKNOWN]);
}

function modelOf(modelType, types = [UNKNOWN, CONTROL, CONTROL]) {
  const pieces = PIECES.map((piece, id) =>
    message(1, [
      ...message(1, utf8(piece)),
      ...float(2, -id),
      ...varint(3, types[id] ?? NORMAL),
    ]),
  );
  const trainer = message(2, varint(3, modelType));
  const normalizer = message(3, [...varint(3, 1), ...varint(4, 0)]);
  return Uint8Array.from([...pieces.flat(), ...trainer, ...normalizer]);
}

function utf8(text) {
  return [...new TextEncoder().encode(text)];
}

function message(field, bytes) {
  return [...number((field << 3) | 2), ...number(bytes.length), ...bytes];
}

function varint(field, value) {
  return [...number(field << 3), ...number(value)];
}

function float(field, value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [...number((field << 3) | 5), ...bytes];
}

function number(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...number(value >> 7)];
}
