// The script of a worker that holds one model.

import { expose } from "comlink";
import { ModelEngine } from "./model-engine.ts";

expose(new ModelEngine());
