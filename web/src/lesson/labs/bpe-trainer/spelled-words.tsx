import type { JoinedPair } from "../../../trainers/bpe.ts";
import { Strip, type StripPiece } from "../../strip.tsx";
import { applied, ids, isAboutToMerge, learned, spellings } from "./state.ts";

/** Every word of the corpus, as it is spelled after the merges. */
export function SpelledWords() {
  const newest = learned.value[applied.value - 1];
  const next = isAboutToMerge.value ? learned.value[applied.value] : undefined;
  return (
    <div>
      <h4>Words of the corpus</h4>
      <dl class="spelled-words">
        {spellings.value.map(({ word, count, symbols }) => (
          <div key={word}>
            <dt>
              {word} <span class="quiet">×{count}</span>
            </dt>
            <dd>
              <Strip label={`${word}, spelled`} pieces={piecesOf(symbols, newest, next)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function piecesOf(
  symbols: readonly string[],
  newest: JoinedPair | undefined,
  next: JoinedPair | undefined,
): StripPiece[] {
  const pieces: StripPiece[] = symbols.map((text) => ({
    text,
    id: ids.value.get(text),
    emphasis: next === undefined && text === newest?.piece ? "made" : undefined,
  }));
  for (let i = 0; next !== undefined && i + 1 < pieces.length; i++) {
    const [left, right] = [pieces[i], pieces[i + 1]];
    if (left?.text !== next.left || right?.text !== next.right) continue;
    pieces[i] = { ...left, emphasis: "left" };
    pieces[i + 1] = { ...right, emphasis: "right" };
    i++;
  }
  return pieces;
}
