import type { Merge } from "../../../trainers/bpe.ts";
import { applied, learned, merges, pause } from "./state.ts";

/** All merges in their order; each leads to the state just after it. */
export function MergeLog() {
  return (
    <div class="merge-log">
      <h4>Merge log</h4>
      <table>
        <caption class="visually-hidden">Merge log</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              no.
            </th>
            <th scope="col">pair</th>
            <th scope="col">piece</th>
            <th scope="col" class="number">
              count
            </th>
          </tr>
        </thead>
        <tbody>
          {learned.value.map((merge, i) => (
            <Row key={merge.piece} merge={merge} number={i + 1} />
          ))}
        </tbody>
      </table>
      <p class="hint">
        {learned.value.length === 0
          ? "No pair occurs twice: there is nothing to learn."
          : "Then no pair is left that occurs twice, and training stops."}
      </p>
    </div>
  );
}

function Row({ merge, number }: { readonly merge: Merge; readonly number: number }) {
  const goTo = () => {
    pause();
    merges.value = number;
  };
  return (
    <tr
      data-applied={number <= applied.value}
      aria-current={number === applied.value ? "step" : undefined}
    >
      <td class="number">
        <button type="button" class="row-button" onClick={goTo}>
          <span class="visually-hidden">Go to merge </span>
          {number}
        </button>
      </td>
      <td>
        {merge.left} + {merge.right}
      </td>
      <td>{merge.piece}</td>
      <td class="number">{merge.count}</td>
    </tr>
  );
}
