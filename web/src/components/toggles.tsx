// Some of a few: check boxes that look like buttons.

interface Option {
  readonly key: string;
  readonly label: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
}

interface TogglesProps {
  /** What is chosen here; read out, not shown. */
  readonly legend: string;
  readonly options: readonly Option[];
  readonly onToggle: (key: string) => void;
}

export function Toggles({ legend, options, onToggle }: TogglesProps) {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{legend}</legend>
      {options.map(({ key, label, isChecked, isDisabled = false }) => (
        <label class="choice-option" key={key}>
          <input
            type="checkbox"
            checked={isChecked}
            disabled={isDisabled}
            onChange={() => onToggle(key)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
