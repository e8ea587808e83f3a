import { FileButton } from "../components/file-button.tsx";
import { Toggles } from "../components/toggles.tsx";
import { columns, loading, MOST_COLUMNS, openFiles, sources, toggleModel } from "./state.ts";

/** The choice of the models. */
export function ModelPanel() {
  const inUse = new Set(columns.value.map(({ key }) => key));
  const coming = new Set(loading.value.map(({ key }) => key));
  const isFull = inUse.size + coming.size >= MOST_COLUMNS;
  const toggle = (key: string) => {
    const source = sources.value.find((each) => each.key === key);
    if (source !== undefined) toggleModel(source);
  };
  return (
    <section class="panel model-panel" aria-labelledby="model-heading">
      <h2 id="model-heading">Models</h2>
      <Toggles
        legend="Models, up to three"
        options={sources.value.map(({ key, name }) => ({
          key,
          label: name,
          isChecked: inUse.has(key) || coming.has(key),
          isDisabled: coming.has(key) || (isFull && !inUse.has(key)),
        }))}
        onToggle={toggle}
      />
      <FileButton label="Open models…" onFiles={openFiles} />
      <p class="hint">
        Compare up to three. Drop a <code>.model</code>, <code>.spm</code>, <code>.spm.fb</code> or{" "}
        <code>tokenizer.json</code> anywhere.
      </p>
    </section>
  );
}
