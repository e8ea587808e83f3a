// A page's script, to be bundled. The page is left with `result`.

import { run } from "./run.js";

globalThis.result = run();
