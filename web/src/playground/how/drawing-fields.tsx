import type { Signal } from "@preact/signals";
import { drawing } from "../drawing.ts";

const MOST_SEEDS = 2 ** 32 - 1;

/** What a draw hangs on. */
export function DrawingFields({ isUnigram }: { readonly isUnigram: boolean }) {
  return (
    <div class="fields">
      <NumberField label="Seed" value={drawing.seed} least={0} most={MOST_SEEDS} step={1} />
      {isUnigram ? (
        <>
          <NumberField
            label="Temperature"
            value={drawing.temperature}
            least={0.1}
            most={1000}
            step={0.1}
          />
          <p class="hint">α = {(1 / drawing.temperature.value).toPrecision(3)}</p>
        </>
      ) : (
        <NumberField label="Dropout" value={drawing.dropout} least={0} most={1} step={0.05} />
      )}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: Signal<number>;
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

function NumberField({ label, value, least, most, step }: NumberFieldProps) {
  return (
    <label class="inline-field">
      {label}
      <input
        type="number"
        min={least}
        max={most}
        step={step}
        value={value}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          const isWhole = step < 1 || Number.isInteger(typed);
          if (typed >= least && typed <= most && isWhole) value.value = typed;
        }}
      />
    </label>
  );
}
