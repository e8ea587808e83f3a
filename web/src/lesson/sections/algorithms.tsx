import { Checkpoint } from "../checkpoints.tsx";
import { AlgorithmLabs } from "../labs/algorithms/lab.tsx";
import { Section, Table } from "../section.tsx";

/** Three ways to learn pieces, side by side. */
export function AlgorithmsSection() {
  return (
    <Section id="algorithms" title="Three trainers, one corpus">
      <p>
        BPE is one of three algorithms that you will meet. They agree that words are spelled in
        pieces, and differ in which pieces are worth having, and in how a word is then cut.
      </p>
      <Table
        caption="How the three differ"
        head={["", "BPE", "WordPiece", "SentencePiece Unigram"]}
        rows={[
          [
            "learns by",
            "joining the most frequent pair",
            "joining the pair with the highest f(ab) / (f(a) · f(b))",
            "dropping, from far too many pieces, those that the corpus misses least",
          ],
          [
            "encodes by",
            "replaying its merges in their order",
            "taking the longest piece that fits, again and again",
            "finding the most probable of all spellings",
          ],
          ["marks", "ends of words, </w>, in this lesson", "continuations, ##", "spaces, ▁"],
          ["keeps", "an ordered list of merges", "a vocabulary", "pieces with probabilities"],
        ]}
      />
      <p>
        SentencePiece is a program and not an algorithm: it trains either Unigram or BPE, on raw
        text in which a space is a character like any other. So there is a switch in its column.
      </p>
      <AlgorithmLabs />
      <p>
        Go slowly from 0 upwards. BPE begins with l + o, which is everywhere. WordPiece begins with
        w + ##i, two times only, but w and ##i hardly occur apart: its score is 0.5, that of l + ##o
        7 / (7 · 7) = 0.1429. Unigram has long pieces at once, since it comes from the other end.
        And where the probe holds a letter that the corpus has not, WordPiece gives up the whole
        word, the others that letter alone.
      </p>
      <p class="hint">
        These trainers are small enough to be read, which the production ones are not: those replace
        counts by estimates, prune in bulk, and begin from other texts. The notebooks of section 13
        train the real ones.
      </p>
      <Checkpoint section="algorithms" />
    </Section>
  );
}
