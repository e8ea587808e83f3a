import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A section of the lesson; CSS numbers them. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section class="lesson-section" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

interface TableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Columns of numbers, from 0: they are set to the right. */
  readonly numbers?: readonly number[];
}

/** A table whose first column names its rows. */
export function Table({ caption, head, rows, numbers = [] }: TableProps) {
  const classOf = (column: number) => (numbers.includes(column) ? "number" : undefined);
  return (
    // It scrolls by itself where the page is narrow, and by keyboard: hence the tabIndex.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name, column) =>
              // The corner of a table may be empty: it is no header then.
              name === "" ? (
                <td key={name} />
              ) : (
                <th key={name} scope="col" class={classOf(column)}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row}>
              <th scope="row" class={classOf(0)}>
                {name}
              </th>
              {cells.map((cell, i) => (
                <td key={i} class={classOf(i + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
