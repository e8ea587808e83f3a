import { Choice } from "../../components/choice.tsx";
import { formatCount } from "../../text/format.ts";
import { splitWords } from "../../trainers/corpus.ts";
import { encodeWith, MODEL_NAMES, MODEL_OPTIONS, type ModelName, problem } from "../engine.ts";
import { BENGALI, SENTENCE } from "../example-sentence.ts";
import { Presets, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { oneOf, parameter, TEXT } from "../parameters.ts";
import { measure } from "../unicode.ts";

const LAB = "granularity-bars";

const text = parameter(LAB, "text", SENTENCE, TEXT);
const model = parameter<ModelName>(LAB, "model", "unigram", oneOf(MODEL_NAMES));

/** A text at four granularities, as bars. */
export function GranularityBars() {
  const { codePoints, bytes } = measure(text.value);
  const subwords = encodeWith(model.value, text.value)?.length;
  const bars = [
    ["words", splitWords(text.value).length],
    ["subwords", subwords],
    ["code points", codePoints],
    ["bytes", bytes],
  ] as const;
  const longest = Math.max(1, ...bars.map(([, length]) => length ?? 0));
  return (
    <Lab
      id={LAB}
      title="Granularity bars"
      task="One sentence, four granularities. Before you read on: which of the bars is drawn by no tokenizer in production?"
    >
      <TextField id="granularity-text" label="Sentence" value={text} rows={2} />
      <div class="lab-row">
        <Presets
          label="Try"
          texts={["First sentence", BENGALI, "すべての人間は自由である"]}
          onChoose={(chosen) => {
            text.value = chosen === "First sentence" ? SENTENCE : chosen;
          }}
        />
        <Choice
          legend="Model of the bar of subwords"
          name="granularity-model"
          options={MODEL_OPTIONS}
          value={model.value}
          onChange={(chosen) => {
            model.value = chosen;
          }}
        />
      </div>
      <dl class="bars">
        {bars.map(([name, length], place) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span
                class="bar"
                data-place={place}
                style={{ width: `${(100 * (length ?? 0)) / longest}%` }}
              />
              <span class="bar-length">{length === undefined ? "…" : formatCount(length)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {problem.value !== "" && <p class="problem">{problem.value}</p>}
      <details>
        <summary>Which one is it?</summary>
        <p class="answer">
          The bar of words, the shortest of English. It is short because all its words are taken to
          be known: the next name or misspelling breaks it.
        </p>
      </details>
    </Lab>
  );
}
