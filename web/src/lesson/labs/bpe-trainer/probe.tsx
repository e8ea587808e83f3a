import { withEndMark } from "../../../trainers/spelling.ts";
import { TextField } from "../../fields.tsx";
import { MeasuredStrip } from "../../measured-strip.tsx";
import { knownPieces } from "../../pieces.ts";
import { ids, probe, replay } from "./state.ts";

/** A word that need not be in the corpus: the merges are replayed on it. */
export function Probe() {
  const word = probe.value.trim();
  const steps = replay.value;
  const symbols = word === "" ? [] : (steps.at(-1)?.symbols ?? withEndMark(word));
  const used = steps.flatMap(({ applied }, i) => (applied ? [i + 1] : []));
  return (
    <div class="probe">
      <TextField id="bpe-probe" label="Encode a word" value={probe} mostCharacters={60} />
      <MeasuredStrip name="Encoded" unit="token" pieces={knownPieces(symbols, ids.value)} showIds />
      <p class="hint" role="status">
        {used.length === 0
          ? "No merge applies to it so far."
          : `Merges that apply: ${used.join(", ")}.`}
      </p>
      <details>
        <summary>Step by step</summary>
        <ol class="replay">
          <li value={0}>
            <code>{withEndMark(word).join(" ")}</code>
          </li>
          {steps.map(({ merge, symbols: after, applied }, i) => (
            <li key={merge.piece} value={i + 1} data-applied={applied}>
              {applied ? (
                <>
                  <code>{after.join(" ")}</code>{" "}
                  <span class="quiet">
                    after {merge.left} + {merge.right}
                  </span>
                </>
              ) : (
                <span class="quiet">
                  {merge.left} + {merge.right} does not occur
                </span>
              )}
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}
