// Unigram by hand: every piece that lies in a stretch of text, and the path with the best sum of
// scores, in the 32-bit arithmetic of the engine, so that ties fall as they do there.

import type { Lattice, LatticeEdge } from "./messages.ts";
import type { PieceFinder } from "./stretch.ts";

/** What a character without a piece costs more than the worst piece; of SentencePiece. */
const UNKNOWN_PENALTY = 10;

/** `text` is as the model sees it, normalized. */
export function latticeOf(text: string, pieces: PieceFinder): Lattice {
  const characters = Array.from(text);
  const edges = characters.flatMap((_, begin) => edgesFrom(characters, begin, pieces));
  const { path, score } = bestPath(edges, characters.length);
  return {
    kind: "lattice",
    characters,
    edges: edges.map((edge) => ({ ...edge, isBest: path.has(edge) })),
    bestScore: score,
  };
}

/** The pieces that begin at a character, short ones first. */
function edgesFrom(
  characters: readonly string[],
  begin: number,
  pieces: PieceFinder,
): LatticeEdge[] {
  const edges: LatticeEdge[] = [];
  for (let end = begin + 1; end <= characters.length; end++) {
    const text = characters.slice(begin, end).join("");
    const piece = pieces.find(text);
    if (piece?.type === "NORMAL" || piece?.type === "USER_DEFINED") {
      const score = piece.type === "NORMAL" ? piece.score : userDefinedScore(text);
      edges.push({ begin, end, text, id: piece.id, score, isBest: false });
    } else if (end === begin + 1) {
      const score = Math.fround(pieces.leastScore() - UNKNOWN_PENALTY);
      edges.push({ begin, end, text, id: -1, score, isBest: false });
    }
  }
  return edges;
}

/** User-defined pieces nearly always win; the longer, the more so. Of SentencePiece. */
function userDefinedScore(text: string): number {
  return Math.fround(0.1 * (new TextEncoder().encode(text).length - 1));
}

function bestPath(
  edges: readonly LatticeEdge[],
  length: number,
): { path: ReadonlySet<LatticeEdge>; score: number } {
  const lastEdges = new Map<number, LatticeEdge>();
  const scores = new Float32Array(length + 1);
  for (const edge of edges) {
    const candidate = Math.fround((scores[edge.begin] ?? 0) + edge.score);
    // Of equals the first stays: the one that begins earliest.
    if (lastEdges.has(edge.end) && candidate <= (scores[edge.end] ?? 0)) continue;
    scores[edge.end] = candidate;
    lastEdges.set(edge.end, edge);
  }
  const path = new Set<LatticeEdge>();
  for (let at = length; at > 0; ) {
    const edge = lastEdges.get(at);
    if (edge === undefined) break;
    path.add(edge);
    at = edge.begin;
  }
  return { path, score: scores[length] ?? 0 };
}
