import { computed } from "@preact/signals";
import { Choice } from "../../../components/choice.tsx";
import { countWords } from "../../../trainers/corpus.ts";
import { Presets, Slider, TextField } from "../../fields.tsx";
import { FOUR_WORDS } from "../../four-words.ts";
import { Lab } from "../../lab.tsx";
import { oneOf, parameter, TEXT, WHOLE_NUMBER } from "../../parameters.ts";
import { Column } from "./column.tsx";
import {
  trainedBpe,
  trainedSentencePieceBpe,
  trainedUnigram,
  trainedWordPiece,
} from "./trained.ts";

const LAB = "algorithm-labs";
const MODES = ["unigram", "bpe"] as const;
const MOST_CORPUS_CHARACTERS = 600;

const corpus = parameter(LAB, "corpus", FOUR_WORDS, TEXT);
const pieces = parameter(LAB, "pieces", 8, WHOLE_NUMBER);
const probe = parameter(LAB, "probe", "lowest", TEXT);
const mode = parameter<(typeof MODES)[number]>(LAB, "mode", "unigram", oneOf(MODES));

const words = computed(() => countWords(corpus.value));
const bpe = computed(() => trainedBpe(words.value));
const wordPiece = computed(() => trainedWordPiece(words.value));
const sentencePiece = computed(() =>
  mode.value === "unigram" ? trainedUnigram(words.value) : trainedSentencePieceBpe(words.value),
);

// Unigram could keep hundreds: how far the others come is enough.
const most = computed(() =>
  Math.max(
    bpe.value.most,
    wordPiece.value.most,
    mode.value === "bpe" ? sentencePiece.value.most : 0,
  ),
);

/** Three trainers, one corpus, one slider, one probe. */
export function AlgorithmLabs() {
  const word = probe.value.trim();
  const count = Math.min(pieces.value, most.value);
  return (
    <Lab
      id={LAB}
      title="Three trainers"
      task="All three learn from the same text, as many pieces as the slider says, and then spell the same word."
    >
      <div class="lab-fields">
        <TextField
          id="algorithms-corpus"
          label="Corpus"
          value={corpus}
          rows={3}
          mostCharacters={MOST_CORPUS_CHARACTERS}
        />
        <TextField id="algorithms-probe" label="Probe word" value={probe} mostCharacters={60} />
      </div>
      <Presets
        label="Probe"
        texts={["lowest", "newer", "wider", "low", "lowly"]}
        onChoose={(chosen) => {
          probe.value = chosen;
        }}
      />
      <Slider id="algorithms-pieces" label="Pieces to learn" value={pieces} most={most.value} />
      <div class="columns">
        <Column
          name="BPE"
          rule="Joins the pair that occurs most often."
          trained={bpe.value}
          count={count}
          word={word}
        />
        <Column
          name="WordPiece"
          rule="Joins the pair that occurs most often for how common its halves are."
          trained={wordPiece.value}
          count={count}
          word={word}
        />
        <Column
          name="SentencePiece"
          rule={
            mode.value === "unigram"
              ? "Begins with every run that words share, and drops what is missed least."
              : "Joins as BPE does; a word begins with its space, ▁."
          }
          trained={sentencePiece.value}
          count={count}
          word={word}
        >
          <Choice
            legend="SentencePiece algorithm"
            name="sentencepiece-mode"
            options={[
              { value: "unigram", label: "Unigram" },
              { value: "bpe", label: "BPE" },
            ]}
            value={mode.value}
            onChange={(chosen) => {
              mode.value = chosen;
            }}
          />
        </Column>
      </div>
    </Lab>
  );
}
