// The script of the worker that measures texts.

import { expose } from "comlink";
import { measureText } from "../text/measure.ts";

const textEngine = { measure: measureText };
export type TextEngine = typeof textEngine;

expose(textEngine);
