import { computed } from "@preact/signals";
import { encodeBpe, type Merge, trainBpe } from "../../trainers/bpe.ts";
import { alphabetOf, countWords, spellWords } from "../../trainers/corpus.ts";
import { asBytes, asCharacters } from "../../trainers/spelling.ts";
import { Presets, Slider, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { MeasuredStrip } from "../measured-strip.tsx";
import { parameter, TEXT, WHOLE_NUMBER } from "../parameters.ts";
import { idsOf, knownPieces } from "../pieces.ts";
import type { StripPiece } from "../strip.tsx";
import { formatByte } from "../unicode.ts";

const LAB = "byte-level-lab";
const MOST_CORPUS_CHARACTERS = 800;

const corpus = parameter(LAB, "corpus", "cat cat 👋 👋", TEXT);
const merges = parameter(LAB, "merges", 1, WHOLE_NUMBER);
const probe = parameter(LAB, "probe", "cat", TEXT);

const words = computed(() => countWords(corpus.value));
const byteMerges = computed(() => trainBpe(spellWords(words.value, asBytes)));
const characterWords = computed(() => spellWords(words.value, asCharacters));
const characterMerges = computed(() => trainBpe(characterWords.value));

/** All 256 of them, whatever the corpus holds. */
const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => formatByte(byte));

/** BPE on bytes beside BPE on characters. */
export function ByteLevelLab() {
  const count = Math.min(merges.value, byteMerges.value.length);
  return (
    <Lab
      id={LAB}
      title="Bytes or characters"
      task="The same algorithm twice, on the same text: once it begins with the 256 bytes, once with the characters of the corpus. Give both something the corpus has not."
    >
      <div class="lab-fields">
        <TextField
          id="byte-level-corpus"
          label="Corpus"
          value={corpus}
          rows={2}
          mostCharacters={MOST_CORPUS_CHARACTERS}
        />
        <TextField id="byte-level-probe" label="Text to encode" value={probe} rows={2} />
      </div>
      <Presets
        label="Encode"
        texts={["cat", "👋", "cat 👋", "😊", "act", "café", "字"]}
        onChoose={(chosen) => {
          probe.value = chosen;
        }}
      />
      <Slider id="byte-level-merges" label="Merges" value={merges} most={byteMerges.value.length} />
      <ByteMergeList applied={count} />
      <div class="measured-list">
        <MeasuredStrip name="UTF-8" unit="byte" pieces={piecesOfBytes([])} />
        <MeasuredStrip
          name="Byte-level BPE"
          unit="token"
          pieces={piecesOfBytes(byteMerges.value.slice(0, count))}
          showIds
        />
        <MeasuredStrip
          name="Character BPE"
          unit="token"
          pieces={piecesOfCharacters(characterMerges.value.slice(0, count))}
          showIds
        />
      </div>
      <p class="hint">
        Ids of bytes are their values, 0 to 255; the merges go on from 256. The pieces of bytes are
        written in hexadecimal.
      </p>
    </Lab>
  );
}

function ByteMergeList({ applied }: { readonly applied: number }) {
  return (
    <ol class="merge-list" aria-label="Merges of bytes">
      {byteMerges.value.map(({ left, right, piece }, i) => (
        <li key={piece} data-applied={i < applied} data-newest={i === applied - 1}>
          <code>
            {left} + {right}
          </code>{" "}
          <span class="quiet">
            {textOfBytes(piece)}, {i < applied ? "applied" : "to come"}
          </span>
        </li>
      ))}
    </ol>
  );
}

function piecesOfBytes(learned: readonly Merge[]): StripPiece[] {
  const ids = idsOf([...ALL_BYTES, ...learned.map(({ piece }) => piece)]);
  return encodeBpe(asBytes(probe.value), learned).map((text) => ({
    text,
    id: ids.get(text),
    ...(text.length === 2 ? { type: "BYTE" as const } : {}),
  }));
}

function piecesOfCharacters(learned: readonly Merge[]): StripPiece[] {
  const alphabet = alphabetOf(characterWords.value);
  const ids = idsOf([...alphabet, ...learned.map(({ piece }) => piece)]);
  return knownPieces(encodeBpe(asCharacters(probe.value), learned), ids);
}

/** What the bytes spell, where they are whole characters. */
function textOfBytes(hex: string): string {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "part of a character";
  }
}
