import { decoded, encoding, fillInIds, idList } from "./state.ts";

/** The way back: ids in, text out. */
export function DecodeBox() {
  return (
    <section class="panel decode-panel" aria-labelledby="decode-heading">
      <div class="panel-header">
        <h2 id="decode-heading">Decode</h2>
        <button
          type="button"
          class="button"
          disabled={encoding.value === undefined}
          onClick={fillInIds}
        >
          Take the ids of the text
        </button>
      </div>
      <div class="field">
        <label class="field-name" for="ids">
          Ids
        </label>
        <textarea
          id="ids"
          class="code"
          rows={3}
          spellcheck={false}
          autocomplete="off"
          placeholder="42, 7, 1984"
          aria-describedby="decode-problem"
          value={idList}
          onInput={(event) => {
            idList.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <span class="field-name" id="decoded-label">
          Text
        </span>
        <output class="decoded" for="ids" aria-labelledby="decoded-label">
          {decoded.value.text}
        </output>
      </div>
      <p class="decode-problem" id="decode-problem" role="status">
        {decoded.value.problem}
      </p>
    </section>
  );
}
