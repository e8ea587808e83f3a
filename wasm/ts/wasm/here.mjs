// What import.meta.url is to ESM, for CommonJS: an address in dist/, which is one folder
// above the script.

import { pathToFileURL } from "node:url";

export const here = new URL("..", pathToFileURL(__filename)).href;
