import { formatAmount } from "../text/format.ts";
import { differences, goToDifference } from "./comparison.ts";
import { columns } from "./state.ts";

/** How often the models differ, and the way from one place to the next. */
export function DifferenceSwitch() {
  if (columns.value.length < 2) return null;
  const count = differences.value?.places.length;
  return (
    <div class="difference-switch">
      <p class="hint" role="status">
        {count === undefined ? "Comparing …" : sentence(count)}
      </p>
      <button
        type="button"
        class="button"
        disabled={!count}
        onClick={() => goToDifference(-1)}
        aria-label="Previous difference"
      >
        ‹
      </button>
      <button
        type="button"
        class="button"
        disabled={!count}
        onClick={() => goToDifference(1)}
        aria-label="Next difference"
      >
        ›
      </button>
    </div>
  );
}

function sentence(count: number): string {
  if (count === 0) return "The models cut this text in the same places.";
  return `The models differ in ${formatAmount(count, "place")}`;
}
