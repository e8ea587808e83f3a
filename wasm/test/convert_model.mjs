// Converts a model for a comparison with the native converter:
//
//   node test/convert_model.mjs MODEL OUT

import { readFile, writeFile } from "node:fs/promises";
import { convert } from "../dist/converter.js";

const [model, outFile] = process.argv.slice(2);
await writeFile(
  outFile,
  await convert({ name: model, bytes: await readFile(model) }),
);
