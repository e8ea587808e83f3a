// Converts models for a comparison with the native converter:
//
//   node test/convert_model.mjs OUT MODEL...
//
// The folder OUT gets a file for each model, named by its number.

import { writeFile } from "node:fs/promises";
import { convert } from "../dist/index.js";

const [out, ...models] = process.argv.slice(2);
for (const [number, model] of models.entries())
  await writeFile(`${out}/${number}`, await convert(model));
