import { problem } from "./state.ts";

/** What went wrong, in one sentence. */
export function Problem() {
  return <div role="alert">{problem.value !== "" && <p class="problem">{problem.value}</p>}</div>;
}
