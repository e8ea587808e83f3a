import { Choice } from "../../components/choice.tsx";
import { VisibleText } from "../../components/visible-text.tsx";
import { Counts } from "../counts.tsx";
import { Presets, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { oneOf, parameter, TEXT } from "../parameters.ts";
import {
  type CodePoint,
  formatByte,
  formatCodePoint,
  type Grapheme,
  measure,
  splitBits,
  takeApart,
} from "../unicode.ts";

const LAB = "utf8-inspector";
const FORMS = ["NFC", "NFD"] as const;
const MOST_SHOWN = 120;
const HAS_INK = /[^\p{White_Space}\p{C}\p{M}]/u;

const text = parameter(LAB, "text", "café 👋", TEXT);
const form = parameter<(typeof FORMS)[number]>(LAB, "form", "NFC", oneOf(FORMS));

/** Every grapheme of a text with its code points and bytes. */
export function Utf8Inspector() {
  const normalized = text.value.normalize(form.value);
  const graphemes = takeApart(normalized);
  return (
    <Lab
      id={LAB}
      title="UTF-8 inspector"
      task="Type anything. Every box at the bottom is a byte: what marks its place in the sequence is underlined, the other bits carry the number. Then switch to NFD and watch the é."
    >
      <TextField id="utf8-text" label="Text" value={text} />
      <div class="lab-row">
        <Presets
          label="Try"
          texts={["A", "é", "আ", "😊", "cafe", "café", "café 👋", "নমস্তে", "👩🏽‍🚀"]}
          onChoose={(chosen) => {
            text.value = chosen;
          }}
        />
        <Choice
          legend="Normalization form"
          name="utf8-form"
          options={FORMS.map((value) => ({ value, label: value }))}
          value={form.value}
          onChange={(chosen) => {
            form.value = chosen;
          }}
        />
      </div>
      <Totals of={normalized} />
      <ol class="graphemes" aria-label="Graphemes">
        {graphemes.slice(0, MOST_SHOWN).map((grapheme, place) => (
          <GraphemeCard key={place} grapheme={grapheme} />
        ))}
      </ol>
      {graphemes.length > MOST_SHOWN && (
        <p class="hint">These are the first {MOST_SHOWN} graphemes; the totals are of all.</p>
      )}
      <p class="hint">
        Graphemes are counted by your browser’s <code>Intl.Segmenter</code>: for Indic scripts, one
        engine may count otherwise than the next.
      </p>
    </Lab>
  );
}

function Totals({ of }: { readonly of: string }) {
  const { graphemes, codePoints, bytes, utf16 } = measure(of);
  return (
    <Counts
      counts={[
        ["graphemes", graphemes],
        ["code points", codePoints],
        ["bytes", bytes],
        ["UTF-16 units", utf16],
      ]}
    />
  );
}

function GraphemeCard({ grapheme }: { readonly grapheme: Grapheme }) {
  return (
    <li class="grapheme">
      <p class="grapheme-text">
        {HAS_INK.test(grapheme.text) ? (
          <bdi>{grapheme.text}</bdi>
        ) : (
          <VisibleText text={grapheme.text} />
        )}
      </p>
      <ul class="code-points" aria-label="Code points">
        {grapheme.codePoints.map((codePoint, place) => (
          <CodePointRow key={place} codePoint={codePoint} />
        ))}
      </ul>
    </li>
  );
}

function CodePointRow({ codePoint: { value, bytes } }: { readonly codePoint: CodePoint }) {
  return (
    <li class="code-point">
      <p>
        <span class="code-point-name">{formatCodePoint(value)}</span>{" "}
        <span class="quiet">{value}</span>
      </p>
      <ul class="bytes" aria-label="Bytes">
        {Array.from(bytes, (byte, place) => (
          <ByteBox key={place} byte={byte} />
        ))}
      </ul>
    </li>
  );
}

/** A byte in hexadecimal and in bits. */
export function ByteBox({ byte }: { readonly byte: number }) {
  const [mark, payload] = splitBits(byte);
  return (
    <li class="byte" data-leads={mark !== "10"}>
      <span class="byte-hex">{formatByte(byte)}</span>
      <span class="byte-bits" aria-hidden="true">
        <u>{mark}</u>
        {payload}
      </span>
    </li>
  );
}
