import { Choice } from "../components/choice.tsx";
import { FileButton } from "../components/file-button.tsx";
import { ModelFacts } from "./model-facts.tsx";
import { chooseModel, loading, model, openFile, sources } from "./state.ts";

/** The choice of the model. */
export function ModelPanel() {
  const current = loading.value ?? model.value?.source;
  const choose = (key: string) => {
    const source = sources.value.find((each) => each.key === key);
    if (source !== undefined) chooseModel(source);
  };
  return (
    <section class="panel model-panel" aria-labelledby="model-heading">
      <h2 id="model-heading">Model</h2>
      <Choice
        legend="Model"
        name="model"
        options={sources.value.map(({ key, name }) => ({ value: key, label: name }))}
        value={current?.key}
        onChange={choose}
      />
      <FileButton label="Open a model…" onFile={openFile} />
      <p class="hint">
        or drop a <code>.model</code> or <code>.spm.fb</code> anywhere on the page
      </p>
      <ModelFacts />
    </section>
  );
}
