// From `.model` to `.spm.fb`: the second module, in an instance of its own that
// lives as long as its result.

import { SpmliteError } from "./errors.js";
import { kindOf } from "./kind.js";
import { InstanceMemory, type MemoryExports } from "./memory.js";
import { converterModule, instantiate } from "./modules.js";
import {
  type ModelSource,
  type NamedBytes,
  type ReadOptions,
  readSource,
} from "./source.js";

interface ConverterExports extends MemoryExports {
  spmlite_convert(model: number, size: number): number;
  spmlite_status(conversion: number): number;
}

/**
 * A model as the bytes of a `.spm.fb`, to be kept and loaded later: a `.model` is
 * converted, a `.spm.fb` is returned as it is (and not looked at closely).
 */
export async function convert(
  source: ModelSource,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  const model = await readSource(source, options);
  return (await toBlob(model)).slice();
}

/** @internal The same of bytes; they may be views of a memory that nobody else has. */
export async function toBlob(model: NamedBytes): Promise<Uint8Array> {
  if (kindOf(model) === "flatbuffer") return model.bytes;
  return convertIn(await instantiate(await converterModule.get()), model);
}

/** @internal Converts in a fresh instance of the converter's module. */
export function convertIn(
  instance: WebAssembly.Instance,
  model: NamedBytes,
): Uint8Array {
  const exports = instance.exports as unknown as ConverterExports;
  exports._initialize();
  const memory = new InstanceMemory(exports);
  const block = memory.put(model.bytes);
  const conversion = memory.explained(() =>
    exports.spmlite_convert(block, model.bytes.length),
  );
  if (exports.spmlite_status(conversion) === 0)
    return memory.textBytes(conversion);
  throw new SpmliteError(
    "INVALID_MODEL",
    `${model.name}: ${memory.text(conversion)}`,
  );
}
