import { splitWords } from "../../trainers/corpus.ts";
import { UNKNOWN } from "../../trainers/spelling.ts";
import { Presets, TextField } from "../fields.tsx";
import { Lab } from "../lab.tsx";
import { MeasuredStrip } from "../measured-strip.tsx";
import { parameter, TEXT } from "../parameters.ts";
import { idsOf, knownPieces } from "../pieces.ts";

const LAB = "word-level-lab";

const corpus = parameter(LAB, "corpus", "I love football", TEXT);
const probe = parameter(LAB, "probe", "I love ChatGPT", TEXT);

/** A tokenizer of whole words, trained on a line of text. */
export function WordLevelLab() {
  const vocabulary = [UNKNOWN, ...new Set(splitWords(corpus.value))];
  const ids = idsOf(vocabulary);
  const encoded = knownPieces(splitWords(probe.value), ids);
  const unknown = encoded.filter(({ id }) => id === undefined);
  return (
    <Lab
      id={LAB}
      title="A tokenizer of words"
      task="Its whole training is to number the words of the first text. Change a letter in the second, or add an s, and a word is lost."
    >
      <TextField id="words-corpus" label="Text to learn from" value={corpus} rows={2} />
      <MeasuredStrip
        name="Vocabulary"
        unit="word"
        pieces={vocabulary.map((word, id) => ({
          text: word,
          id,
          ...(id === 0 ? { type: "UNKNOWN" as const } : {}),
        }))}
        showIds
      />
      <TextField id="words-probe" label="Text to encode" value={probe} rows={2} />
      <Presets
        label="Try"
        texts={["I love football", "I love ChatGPT", "I love footballs", "We love বাংলা"]}
        onChoose={(chosen) => {
          probe.value = chosen;
        }}
      />
      <MeasuredStrip
        name="Encoded"
        unit="id"
        pieces={encoded.map((piece) =>
          piece.id === undefined ? { ...piece, id: ids.get(UNKNOWN) } : piece,
        )}
        showIds
      />
      <p role="status">
        {unknown.length === 0
          ? "Every word is known."
          : `${unknown.length} of ${encoded.length} words became ${UNKNOWN}: their letters are gone for good.`}
      </p>
    </Lab>
  );
}
