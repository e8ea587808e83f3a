// What labs are worked with: a text, a slider, ready-made texts.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

interface TextFieldProps {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly value: Signal<string>;
  readonly rows?: number;
  readonly mostCharacters?: number;
}

const MOST_CHARACTERS = 2_000;

export function TextField({ id, label, value, rows = 1, mostCharacters }: TextFieldProps) {
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={rows}
        maxLength={mostCharacters ?? MOST_CHARACTERS}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        value={value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

interface SliderProps {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly value: Signal<number>;
  readonly most: number;
  /** What the number means, beside it. */
  readonly children?: ComponentChildren;
}

/** Arrow keys move it by one, Home and End to its ends, as browsers have it. */
export function Slider({ id, label, value, most, children }: SliderProps) {
  const current = Math.min(value.value, most);
  return (
    <div class="field slider">
      <label class="field-name" for={id}>
        {label}
      </label>
      <div class="slider-row">
        <input
          id={id}
          type="range"
          min={0}
          max={most}
          value={current}
          onInput={(event) => {
            value.value = event.currentTarget.valueAsNumber;
          }}
        />
        <output for={id}>
          {current} of {most}
        </output>
        {children}
      </div>
    </div>
  );
}

interface PresetsProps {
  readonly label: string;
  readonly texts: readonly string[];
  readonly onChoose: (text: string) => void;
}

/** Texts to try. */
export function Presets({ label, texts, onChoose }: PresetsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is entered
    <div class="presets" role="group" aria-label={label}>
      <span class="quiet" aria-hidden="true">
        {label}
      </span>
      {texts.map((text) => (
        <button type="button" class="preset" key={text} onClick={() => onChoose(text)}>
          <bdi>{text}</bdi>
        </button>
      ))}
    </div>
  );
}
