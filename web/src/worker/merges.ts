// BPE by hand: of all neighbours that make a piece, those whose piece has the highest score are
// merged, the leftmost of equals, until none are left. (SentencePiece keeps no list of merges.)

import type { MergeHistory, MergeNode } from "./messages.ts";
import type { PieceFinder } from "./stretch.ts";

interface Symbol {
  readonly node: MergeNode;
  /** User-defined pieces never merge. */
  readonly isFrozen: boolean;
  readonly isUnused: boolean;
}

/** `text` is as the model sees it, normalized. */
export function mergeHistory(text: string, pieces: PieceFinder): MergeHistory {
  let symbols = firstSymbols(text, pieces);
  const steps: MergeNode[] = [];
  for (;;) {
    const best = bestMerge(symbols, pieces, steps.length + 1);
    if (best === undefined) break;
    steps.push(best.symbol.node);
    symbols = symbols.toSpliced(best.place, 2, best.symbol);
  }
  return { kind: "merges", roots: symbols.flatMap(takenApart).map(({ node }) => node), steps };
}

function firstSymbols(text: string, pieces: PieceFinder): Symbol[] {
  const symbols: Symbol[] = [];
  for (let place = 0; place < text.length; ) {
    const whole = pieces.userDefinedAt(text, place);
    const symbol = whole ?? String.fromCodePoint(text.codePointAt(place) ?? 0);
    const piece = pieces.find(symbol);
    const node = {
      text: symbol,
      id: piece?.id ?? -1,
      score: piece?.score ?? 0,
      step: 0,
      parts: [],
    };
    symbols.push({ node, isFrozen: whole !== undefined, isUnused: false });
    place += symbol.length;
  }
  return symbols;
}

function bestMerge(
  symbols: readonly Symbol[],
  pieces: PieceFinder,
  step: number,
): { place: number; symbol: Symbol } | undefined {
  let best: { place: number; symbol: Symbol } | undefined;
  symbols.slice(1).forEach((right, place) => {
    const left = symbols[place];
    const symbol = left && merged(left, right, pieces, step);
    if (symbol === undefined) return;
    if (best === undefined || symbol.node.score > best.symbol.node.score) best = { place, symbol };
  });
  return best;
}

function merged(
  left: Symbol,
  right: Symbol,
  pieces: PieceFinder,
  step: number,
): Symbol | undefined {
  if (left.isFrozen || right.isFrozen) return undefined;
  const text = left.node.text + right.node.text;
  const piece = pieces.find(text);
  if (piece === undefined || !["NORMAL", "USER_DEFINED", "UNUSED"].includes(piece.type)) {
    return undefined;
  }
  const { id, score, type } = piece;
  const node = { text, id, score, step, parts: [left.node, right.node] };
  return { node, isFrozen: false, isUnused: type === "UNUSED" };
}

/** An unused piece is taken apart again in the end. */
function takenApart(symbol: Symbol): Symbol[] {
  if (!symbol.isUnused) return [symbol];
  return symbol.node.parts.map((node) => ({ node, isFrozen: false, isUnused: false }));
}
