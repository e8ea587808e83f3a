// Converts a model for a comparison with the native converter:
//
//   node test/convert_model.mjs MODEL OUT

import { writeFile } from "node:fs/promises";
import { convert } from "../dist/index.js";

const [model, outFile] = process.argv.slice(2);
await writeFile(outFile, await convert(model));
