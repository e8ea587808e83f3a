import { Checkpoint } from "../checkpoints.tsx";
import { GranularityBars } from "../labs/granularity-bars.tsx";
import { VocabularyAndLength } from "../schematics/vocabulary-and-length.tsx";
import { Section } from "../section.tsx";

/** The trade between many kinds and many tokens, in four bars. */
export function GranularitySection() {
  return (
    <Section id="granularity" title="How long is a sentence?">
      <p>
        All that has been said so far fits into four bars. Longer bars mean more work at every step
        of the model; shorter ones mean more kinds of tokens, so larger tables. Every tokenizer is a
        place between.
      </p>
      <GranularityBars />
      <h3>Why not words, if they are the shortest?</h3>
      <ol>
        <li>
          <strong>A new word loses itself.</strong> COVID-19, useState, a user’s name, a slip of the
          finger: as [UNK], all look the same. In pieces, at least their parts are there; in bytes,
          everything is.
        </li>
        <li>
          <strong>Forms of a word are strangers.</strong> play, plays, played and playing would be
          four ids with nothing in common. Turkish or Finnish has thousands of forms of a word,
          German writes new compounds every day.
        </li>
        <li>
          <strong>Coverage costs tables.</strong> To have fewer unknown words one needs hundreds of
          thousands of rows, most of them for words that occur too seldom to be learned well.
        </li>
        <li>
          <strong>No list fits all languages,</strong> let alone code and emoji; Japanese and Thai
          do not even put spaces between words.
        </li>
        <li>
          <strong>Little is saved.</strong> A common word in one token instead of two saves one
          place. Losing every rare word is a high price for that.
        </li>
      </ol>
      <VocabularyAndLength />
      <Checkpoint section="granularity" />
    </Section>
  );
}
