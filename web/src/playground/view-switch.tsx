import { Choice } from "../components/choice.tsx";
import { type View, view } from "./state.ts";

const VIEWS: readonly { value: View; label: string }[] = [
  { value: "tokens", label: "Pieces" },
  { value: "ids", label: "Ids" },
  { value: "bytes", label: "Bytes" },
];

/** What the tokens are shown as. */
export function ViewSwitch() {
  return (
    <Choice
      legend="Show the tokens as"
      name="view"
      options={VIEWS}
      value={view.value}
      onChange={(value) => {
        view.value = value;
      }}
    />
  );
}
