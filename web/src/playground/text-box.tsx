import { text } from "./state.ts";

export function TextBox() {
  return (
    <section class="panel text-panel" aria-labelledby="text-heading">
      <div class="panel-header">
        <h2 id="text-heading">
          <label for="text">Text</label>
        </h2>
      </div>
      <textarea
        id="text"
        dir="auto"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        value={text}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
    </section>
  );
}
