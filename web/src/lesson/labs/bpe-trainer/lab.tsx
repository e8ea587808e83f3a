import { Counts } from "../../counts.tsx";
import { Presets, Slider, TextField } from "../../fields.tsx";
import { FOUR_WORDS } from "../../four-words.ts";
import { Lab } from "../../lab.tsx";
import { StepCurve } from "../../step-curve.tsx";
import { Strip } from "../../strip.tsx";
import { MergeLog } from "./merge-log.tsx";
import { Probe } from "./probe.tsx";
import { SpelledWords } from "./spelled-words.tsx";
import {
  alphabetSize,
  applied,
  corpus,
  ids,
  isPlaying,
  LAB,
  learned,
  lengths,
  MOST_CORPUS_CHARACTERS,
  merges,
  pause,
  play,
  vocabulary,
} from "./state.ts";

const RHYME =
  "how much wood would a woodchuck chuck if a woodchuck could chuck wood he would chuck as much wood as a woodchuck would if a woodchuck could chuck wood";

/** BPE, trained before one's eyes. */
export function BpeTrainer() {
  return (
    <Lab
      id={LAB}
      title="BPE trainer"
      onReset={pause}
      task="Move the slider, or press Play and watch the most frequent pair close up in every word. The curve counts the tokens of the whole corpus."
    >
      <Slider id="bpe-merges" label="Merges" value={merges} most={learned.value.length}>
        <PlayButton />
      </Slider>
      <Counts
        counts={[
          ["symbols to begin with", alphabetSize.value],
          ["merges", applied.value],
          ["vocabulary", vocabulary.value.length],
          ["tokens of the corpus", lengths.value[applied.value] ?? 0],
        ]}
      />
      <div class="side-by-side">
        <div>
          <SpelledWords />
          <StepCurve
            label="Tokens of the corpus by merges"
            values={lengths.value}
            at={applied.value}
          />
          <div>
            <h4>Vocabulary</h4>
            <Strip
              label="Vocabulary"
              pieces={vocabulary.value.map((text) => ({ text, id: ids.value.get(text) }))}
              showIds
            />
          </div>
        </div>
        <MergeLog />
      </div>
      <Probe />
      <details>
        <summary>Another corpus</summary>
        <div class="details-body">
          <TextField
            id="bpe-corpus"
            label="Text to learn from: its words are counted"
            value={corpus}
            rows={3}
            mostCharacters={MOST_CORPUS_CHARACTERS}
          />
          <Presets
            label="Take"
            texts={["the four words", "a tongue twister"]}
            onChoose={(name) => {
              corpus.value = name === "the four words" ? FOUR_WORDS : RHYME;
            }}
          />
        </div>
      </details>
    </Lab>
  );
}

function PlayButton() {
  return (
    <button type="button" class="button play" onClick={isPlaying.value ? pause : play}>
      {isPlaying.value ? "Pause" : "Play"}
    </button>
  );
}
