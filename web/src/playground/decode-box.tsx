import { canFillIn, type Decoded, decoded, fillInIds, idList } from "./decoding.ts";

/** The way back: ids in, text out. */
export function DecodeBox() {
  return (
    <section class="panel decode-panel" aria-labelledby="decode-heading">
      <div class="panel-header">
        <h2 id="decode-heading">Decode</h2>
        <button type="button" class="button" disabled={!canFillIn.value} onClick={fillInIds}>
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
          value={idList}
          onInput={(event) => {
            idList.value = event.currentTarget.value;
          }}
        />
      </div>
      {decoded.value.map((each) => (
        <DecodedText key={each.column.key} of={each} />
      ))}
    </section>
  );
}

function DecodedText({ of: { column, text, problem } }: { readonly of: Decoded }) {
  const labelId = `${column.elementId}-decoded`;
  return (
    <div class="field">
      <span class="field-name" id={labelId}>
        Text by {column.model.source.name}
      </span>
      <output class="decoded" for="ids" aria-labelledby={labelId}>
        {problem === "" ? text : <span class="decode-problem">{problem}</span>}
      </output>
    </div>
  );
}
