// One of a few: radio buttons that look like a switch.

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceProps<Value extends string> {
  /** What is chosen here; read out, not shown. */
  readonly legend: string;
  /** Unique on the page: it groups the radio buttons. */
  readonly name: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{props.legend}</legend>
      {props.options.map(({ value, label }) => (
        <label class="choice-option" key={value}>
          <input
            type="radio"
            name={props.name}
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
