// The other ways to cut a text.

import type { Tokenizer } from "spmlite";
import type { Cut, DrawnCut, Draws, ScoredCut } from "./messages.ts";

/** The best ways, best first. */
export function bestCuts(tokenizer: Tokenizer, text: string, size: number): ScoredCut[] {
  return tokenizer.nbest(text, size).map(({ ids, score }) => ({ ...cutOf(tokenizer, ids), score }));
}

/** The ways that were drawn, those drawn most often first. */
export function drawCuts(tokenizer: Tokenizer, text: string, draws: Draws): DrawnCut[] {
  const drawn = new Map<string, DrawnCut>();
  for (let i = 0; i < draws.count; i++) {
    const seed = (draws.seed + i) % 2 ** 32;
    const ids = tokenizer.sample(text, { seed, alpha: draws.alpha });
    const key = ids.join();
    const times = (drawn.get(key)?.times ?? 0) + 1;
    drawn.set(key, { ...cutOf(tokenizer, ids), times });
  }
  return [...drawn.values()].sort((a, b) => b.times - a.times);
}

function cutOf(tokenizer: Tokenizer, ids: Int32Array): Cut {
  return { ids: [...ids], pieces: Array.from(ids, (id) => tokenizer.idToPiece(id)) };
}
