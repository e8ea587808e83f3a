// How the chosen token came about: asked of the model's worker whenever another is chosen.

import { effect, signal } from "@preact/signals";
import type { Encoding } from "../../engine/encoding.ts";
import { Latest } from "../../engine/latest.ts";
import { lineAround, type Stretch, stretchAround } from "../../engine/stretch.ts";
import type { DrawnCut, Lattice, MergeHistory, ScoredCut } from "../../worker/messages.ts";
import type { Column } from "../column.ts";
import { drawing } from "../drawing.ts";
import { mainColumn } from "../state.ts";

export interface Origin {
  readonly column: Column;
  /** The chosen token's place in the encoding. */
  readonly chosen: number;
  readonly stretch: Stretch;
  /** Nothing for models of words or characters. */
  readonly derivation: MergeHistory | Lattice | undefined;
  /** Whether it ends with the tokens of the stretch, as it should. */
  readonly isTrue: boolean;
  /** The line that is cut in other ways. */
  readonly line: string;
  /** None for models that are not Unigram. */
  readonly best: readonly ScoredCut[];
  readonly drawn: readonly DrawnCut[];
}

export const DRAWS = 12;
const BEST_CUTS = 8;
/** A line of the text, in UTF-16 units, that is still read at a glance. */
const LONGEST_LINE = 120;

export const origin = signal<Origin | undefined>(undefined);

interface Question {
  readonly column: Column;
  readonly encoding: Encoding;
  readonly chosen: number;
  readonly seed: number;
  readonly temperature: number;
  readonly dropout: number;
}

const questions = new Latest(async (question: Question) => {
  try {
    origin.value = await find(question);
  } catch (error) {
    origin.value = undefined;
    question.column.onProblem(error);
  }
});

effect(() => {
  const column = mainColumn.value;
  const encoding = column?.encoding.value;
  const { seed, temperature, dropout } = drawing;
  const settings = {
    seed: seed.value,
    temperature: temperature.value,
    dropout: dropout.value,
  };
  if (column === undefined || encoding === undefined || encoding.ids.length === 0) {
    origin.value = undefined;
  } else {
    questions.give({ column, encoding, chosen: column.chosenIndex.value, ...settings });
  }
});

async function find({ column, encoding, chosen, ...settings }: Question): Promise<Origin> {
  const { engine, facts } = column.model;
  const stretch = stretchAround(encoding, chosen);
  const place = encoding.offsets[2 * chosen + 1] ?? 0;
  const line = lineAround(encoding.text, Math.max(0, place - 1), LONGEST_LINE);
  const isUnigram = facts.modelType === "UNIGRAM";
  const alpha = isUnigram ? 1 / settings.temperature : settings.dropout;
  const hasWays = isUnigram || facts.modelType === "BPE";
  const [derivation, best, drawn] = await Promise.all([
    engine.derive(stretch.text),
    isUnigram ? engine.bestCuts(line, BEST_CUTS) : [],
    hasWays ? engine.drawCuts(line, { seed: settings.seed, alpha, count: DRAWS }) : [],
  ]);
  const isTrue = derivation !== undefined && endsWith(derivation, stretch);
  return { column, chosen, stretch, derivation, isTrue, line, best, drawn };
}

/** Whether a derivation gives the tokens of the encoding. Byte pieces are together one character. */
function endsWith(derivation: MergeHistory | Lattice, { tokens }: Stretch): boolean {
  const found =
    derivation.kind === "merges"
      ? derivation.roots
      : derivation.edges.filter(({ isBest }) => isBest);
  const known = found.map(({ id }) => id).filter((id) => id >= 0);
  const isKnown = (type: string) => type !== "BYTE" && type !== "UNKNOWN";
  const shown = tokens.filter(({ type }) => isKnown(type)).map(({ id }) => id);
  return known.join() === shown.join();
}
