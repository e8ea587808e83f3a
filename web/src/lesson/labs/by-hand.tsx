import { encodeBpe, type JoinedPair } from "../../trainers/bpe.ts";
import { asCharacters } from "../../trainers/spelling.ts";
import { Slider, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { MeasuredStrip } from "../measured-strip.tsx";
import { parameter, TEXT, WHOLE_NUMBER } from "../parameters.ts";
import { idsOf } from "../pieces.ts";

const LAB = "by-hand-lab";

export const HAND_MERGES: readonly JoinedPair[] = [
  { left: "l", right: "o", piece: "lo" },
  { left: "lo", right: "w", piece: "low" },
  { left: "e", right: "s", piece: "es" },
  { left: "es", right: "t", piece: "est" },
];

const WORDS = ["low", "lowest", "lower", "lovely"];

const steps = parameter(LAB, "merges", 0, WHOLE_NUMBER);
const own = parameter(LAB, "word", "slowest", TEXT);

/** Four merges, applied one after the other. */
export function ByHandLab() {
  const count = Math.min(steps.value, HAND_MERGES.length);
  const words = [...WORDS, ...(own.value.trim() === "" ? [] : [own.value.trim()])];
  return (
    <Lab
      id={LAB}
      title="Four merges by hand"
      task="Before you press a button, say which letters will close up, and in which words."
    >
      <Slider id="by-hand-merges" label="Merges applied" value={steps} most={HAND_MERGES.length}>
        <button
          type="button"
          class="button"
          disabled={count === HAND_MERGES.length}
          onClick={() => {
            steps.value = count + 1;
          }}
        >
          Apply the next
        </button>
      </Slider>
      <MergeList applied={count} />
      <div class="measured-list">
        {words.map((word, place) => (
          <HandWord key={place} word={word} merges={HAND_MERGES.slice(0, count)} />
        ))}
      </div>
      <TextField id="by-hand-word" label="A word of your own" value={own} mostCharacters={40} />
    </Lab>
  );
}

function MergeList({ applied }: { readonly applied: number }) {
  return (
    <ol class="merge-list" aria-label="Merges">
      {HAND_MERGES.map(({ left, right, piece }, i) => (
        <li key={piece} data-applied={i < applied} data-newest={i === applied - 1}>
          <code>
            {left} + {right} → {piece}
          </code>{" "}
          <span class="quiet">{i < applied ? "applied" : "to come"}</span>
        </li>
      ))}
    </ol>
  );
}

interface HandWordProps {
  readonly word: string;
  readonly merges: readonly JoinedPair[];
}

function HandWord({ word, merges }: HandWordProps) {
  const characters = asCharacters(word);
  const pieces = encodeBpe(characters, merges);
  const ids = idsOf([...new Set([...characters, ...HAND_MERGES.map(({ piece }) => piece)])].sort());
  const newest = merges.at(-1)?.piece;
  return (
    <MeasuredStrip
      name={word}
      unit="token"
      pieces={pieces.map((text) => ({
        text,
        id: ids.get(text),
        emphasis: text === newest ? "made" : undefined,
      }))}
    />
  );
}
