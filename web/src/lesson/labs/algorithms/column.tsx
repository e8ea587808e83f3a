import type { ComponentChildren } from "preact";
import { formatAmount } from "../../../text/format.ts";
import { UNKNOWN } from "../../../trainers/spelling.ts";
import { idsOf, knownPieces } from "../../pieces.ts";
import { Strip } from "../../strip.tsx";
import type { LearnedPiece, Trained } from "./trained.ts";

interface ColumnProps {
  readonly name: string;
  /** How it learns, in a sentence. */
  readonly rule: string;
  readonly trained: Trained;
  /** How many pieces it is to learn. */
  readonly count: number;
  readonly word: string;
  readonly children?: ComponentChildren;
}

/** One of the trainers: the probe as it spells it, and what it has learned. */
export function Column({ name, rule, trained, count, word, children }: ColumnProps) {
  const learned = trained.learned(count);
  const ids = idsOf([...trained.alphabet, ...learned.map(({ piece }) => piece)]);
  const encoded = word === "" ? [] : trained.encode(word, count);
  return (
    <section class="column" aria-label={name}>
      <div class="column-head">
        <h4>{name}</h4>
        {children}
      </div>
      <p class="hint">{rule}</p>
      <div class="column-probe">
        <Strip label={`${name}: the probe`} pieces={knownPieces(encoded, ids)} showIds />
        <p class="quiet" role="status">
          {encoded.includes(UNKNOWN)
            ? "It lacks a character: the word is lost."
            : formatAmount(encoded.length, "token")}
        </p>
      </div>
      <LearnedList name={name} learned={learned} isDone={count >= trained.most} />
      <p class="hint">
        {trained.alphabet.length} symbols and {formatAmount(learned.length, "learned piece")}
      </p>
    </section>
  );
}

interface LearnedListProps {
  readonly name: string;
  readonly learned: readonly LearnedPiece[];
  /** Whether more could not be learned from this corpus. */
  readonly isDone: boolean;
}

function LearnedList({ name, learned, isDone }: LearnedListProps) {
  return (
    // Where it is long it scrolls, and by keyboard too: hence the tabIndex.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="learned" tabIndex={0} aria-label={`${name}: learned pieces`}>
      <ol>
        {learned.map(({ piece, from, why }) => (
          <li key={piece}>
            <code>{piece}</code>
            <span class="quiet">
              {from !== "" && <>{from}, </>}
              {why}
            </span>
          </li>
        ))}
      </ol>
      {isDone && <p class="hint">There is no more to learn here.</p>}
    </section>
  );
}
