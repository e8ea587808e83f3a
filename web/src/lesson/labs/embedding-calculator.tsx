import type { Signal } from "@preact/signals";
import { formatCount, formatSize } from "../../text/format.ts";
import { countParameters, PLOT_MARKS } from "../embedding.ts";
import { EmbeddingPlot } from "../embedding-plot.tsx";
import { Lab } from "../lab.tsx";
import { oneOf, parameter, WHOLE_NUMBER } from "../parameters.ts";

const LAB = "embedding-calculator";
const MOST_VOCABULARY = 300_000;
const MOST_DIMENSIONS = 16_384;
/** Of the numbers that most models are kept in. */
const BYTES_PER_PARAMETER = 2;

const vocabulary = parameter(LAB, "vocabulary", 50_257, WHOLE_NUMBER);
const dimensions = parameter(LAB, "dimensions", 768, WHOLE_NUMBER);
const tying = parameter<"tied" | "untied">(LAB, "tables", "tied", oneOf(["tied", "untied"]));

const [, GPT2] = PLOT_MARKS;

/** V × d, once or twice, and what that is. */
export function EmbeddingCalculator() {
  const size = Math.min(vocabulary.value, MOST_VOCABULARY);
  const width = Math.min(dimensions.value, MOST_DIMENSIONS);
  const isTied = tying.value === "tied";
  const parameters = countParameters(size, width, isTied);
  const times = size / GPT2.size;
  return (
    <Lab
      id={LAB}
      title="Embedding calculator"
      task="Change the vocabulary, the width of the model, or both, and see what the tables at its two ends cost."
    >
      <div class="calculator">
        <NumberField
          id="calculator-vocabulary"
          label="Vocabulary size V"
          value={vocabulary}
          most={MOST_VOCABULARY}
        />
        <NumberField
          id="calculator-dimensions"
          label="Numbers in a vector, d"
          value={dimensions}
          most={MOST_DIMENSIONS}
        />
        <label class="tick-box">
          <input
            type="checkbox"
            checked={!isTied}
            onChange={(event) => {
              tying.value = event.currentTarget.checked ? "untied" : "tied";
            }}
          />
          <span>The output has a table of its own</span>
        </label>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is entered */}
      <div class="presets" role="group" aria-label="Vocabularies">
        <span class="quiet" aria-hidden="true">
          Take
        </span>
        {PLOT_MARKS.map(({ name, size: of }) => (
          <button
            type="button"
            class="preset"
            key={name}
            onClick={() => {
              vocabulary.value = of;
            }}
          >
            {name}, {formatCount(of)}
          </button>
        ))}
      </div>
      <p class="equation">
        <output for="calculator-vocabulary calculator-dimensions">
          {isTied ? "" : "2 × "}
          {formatCount(size)} × {formatCount(width)} = <strong>{formatCount(parameters)}</strong>
        </output>{" "}
        parameters
      </p>
      <p class="hint">
        {formatSize(parameters * BYTES_PER_PARAMETER)} in 16 bits each; {times.toFixed(2)} times the
        tables of a vocabulary of {formatCount(GPT2.size)}.
      </p>
      <EmbeddingPlot size={size} width={width} isTied={isTied} most={MOST_VOCABULARY} />
    </Lab>
  );
}

interface NumberFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: Signal<number>;
  readonly most: number;
}

function NumberField({ id, label, value, most }: NumberFieldProps) {
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="number"
        class="number-input"
        min={1}
        max={most}
        value={value.value}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          // While it is empty, or no number yet, the last one stands.
          if (typed >= 1) value.value = Math.min(Math.trunc(typed), most);
        }}
      />
    </div>
  );
}
