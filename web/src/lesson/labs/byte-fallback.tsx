import { VisibleText } from "../../components/visible-text.tsx";
import { encodeWith, type ModelName, problem, tokenizerOf } from "../engine.ts";
import { Presets, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { MeasuredStrip } from "../measured-strip.tsx";
import { parameter, TEXT } from "../parameters.ts";

const LAB = "byte-fallback-lab";

const text = parameter(LAB, "text", "ﬁne ½ 😊", TEXT);

/** There and back again with two models that both fall back to bytes. */
export function ByteFallbackLab() {
  return (
    <Lab
      id={LAB}
      title="There and back"
      task="Both models fall back to bytes, and neither ever says [UNK]. One of them still does not give every text back. Find out which texts it changes."
    >
      <TextField id="byte-fallback-text" label="Text" value={text} />
      <Presets
        label="Try"
        texts={["😊", "ﬁne ½ 😊", "two  spaces", "ＦＵＬＬ", "plain text"]}
        onChoose={(chosen) => {
          text.value = chosen;
        }}
      />
      <RoundTrip model="bpe" name="Leaves text as it is" />
      <RoundTrip model="unigram" name="Normalizes (NFKC)" />
      {problem.value !== "" && <p class="problem">{problem.value}</p>}
    </Lab>
  );
}

function RoundTrip({ model, name }: { readonly model: ModelName; readonly name: string }) {
  const tokenizer = tokenizerOf(model);
  const decoded = tokenizer?.decode(tokenizer.encode(text.value));
  const isExact = decoded === text.value;
  return (
    <section class="column" aria-label={name}>
      <MeasuredStrip name={name} unit="token" pieces={encodeWith(model, text.value)} showIds />
      <p class="verdict" data-exact={isExact}>
        {decoded === undefined ? (
          "…"
        ) : (
          <>
            <span aria-hidden="true">{isExact ? "✓" : "≠"}</span> comes back{" "}
            {isExact ? "exactly" : "as another text"}:{" "}
            <span class="excerpt">
              <VisibleText text={decoded} />
            </span>
          </>
        )}
      </p>
    </section>
  );
}
