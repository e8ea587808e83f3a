// From other kinds of models to `.spm.fb`: by modules of their own, each in an instance
// that lives as long as its result.

import { SpmliteError } from "./errors.js";
import { kindOf } from "./kind.js";
import { InstanceMemory, type MemoryExports } from "./memory.js";
import {
  converterModule,
  instantiate,
  readersModule,
  type SharedModule,
} from "./modules.js";
import {
  type ModelSource,
  type NamedBytes,
  type ReadOptions,
  readSource,
} from "./source.js";

/** Of the converter, and of the readers. */
interface ConverterExports extends MemoryExports {
  spmlite_convert(model: number, size: number): number;
  spmlite_status(conversion: number): number;
  /** Of the readers alone: an Outcome. */
  spmlite_notes?(conversion: number): number;
}

/** What a module made of a model: bytes in its memory, and what they lack, a line each. */
export interface Conversion {
  readonly bytes: Uint8Array;
  readonly notes: string;
}

/**
 * A model as the bytes of a `.spm.fb`, to be kept and loaded later: a `.model`, a
 * tokenizer.json or a `.spm` is converted, a `.spm.fb` is returned as it is (and not looked
 * at closely).
 */
export async function convert(
  source: ModelSource,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  const model = await readSource(source, options);
  return (await toBlob(model)).bytes.slice();
}

/** @internal The same of bytes; they may be views of a memory that nobody else has. */
export async function toBlob(model: NamedBytes): Promise<NamedBytes> {
  const modules = modulesFor(model).map((module) => module.get());
  const instances = (await Promise.all(modules)).map(instantiate);
  return convertThrough(await Promise.all(instances), model);
}

/** @internal The modules that make a `.spm.fb` of a model, in the order of their use. */
export function modulesFor(model: NamedBytes): SharedModule[] {
  const kind = kindOf(model);
  if (kind === "flatbuffer") return [];
  if (kind === "protobuf") return [converterModule];
  return [readersModule, converterModule];
}

/** @internal Converts in a fresh instance of each of those modules. */
export function convertThrough(
  instances: readonly WebAssembly.Instance[],
  model: NamedBytes,
): NamedBytes {
  let converted = model;
  for (const instance of instances) {
    const { bytes } = convertIn(instance, converted);
    // The last one, the converter, looks at the whole of what it made.
    converted = { name: model.name, bytes, isChecked: true };
  }
  return converted;
}

/** @internal Converts in one of them. */
export function convertIn(
  instance: WebAssembly.Instance,
  { bytes, name }: NamedBytes,
): Conversion {
  const exports = instance.exports as unknown as ConverterExports;
  exports._initialize();
  const memory = new InstanceMemory(exports);
  const block = memory.put(bytes);
  const conversion = memory.explained(() =>
    exports.spmlite_convert(block, bytes.length),
  );
  if (exports.spmlite_status(conversion) !== 0) {
    const message = `${name}: ${memory.text(conversion)}`;
    throw new SpmliteError("INVALID_MODEL", message);
  }
  const notes = exports.spmlite_notes?.(conversion);
  return {
    bytes: memory.textBytes(conversion),
    notes: notes === undefined ? "" : memory.text(notes),
  };
}
