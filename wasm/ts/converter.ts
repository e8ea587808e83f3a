// From `.model` to `.spm.fb`: the second module, in an instance of its own that
// lives as long as its result.

import { SpmliteError } from "./errors.js";
import { InstanceMemory, type MemoryExports } from "./memory.js";
import { converterModule, instantiate } from "./modules.js";
import type { NamedBytes } from "./source.js";

interface ConverterExports extends MemoryExports {
  spmlite_convert(model: number, size: number): number;
  spmlite_status(conversion: number): number;
}

/** The bytes of a `.spm.fb` with the content of a `.model`. */
export async function convert(model: NamedBytes): Promise<Uint8Array> {
  const instance = await instantiate(await converterModule());
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
