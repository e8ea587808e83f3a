import type { ComponentChildren } from "preact";
import { Section } from "../section.tsx";

type Entry = readonly [term: string, meaning: ComponentChildren];

const ENTRIES: readonly Entry[] = [
  [
    "Unicode",
    "The list that gives every character a number: A is U+0041, 😊 is U+1F60A. It says which characters there are, not how they are stored.",
  ],
  [
    "Code point",
    "A place in that list, written U+ and hexadecimal digits. There can be 1,114,112 of them; Unicode 17.0 has filled 159,801.",
  ],
  [
    "UTF-8",
    "The recipe that writes a code point as bytes: one for ASCII, two to four for all others.",
  ],
  ["Byte", "A number from 0 to 255. There are 256 of them, and there will never be more."],
  [
    "Grapheme",
    "What a reader takes for one character. It may be several code points: a letter and its accent, an emoji and its skin colour.",
  ],
  [
    "Byte fallback",
    <>
      Spelling a character that has no piece by its bytes, such as <code>{"<0xF0>"}</code>. There is
      no [UNK] then; whether a text comes back exactly depends on the normalizer.
    </>,
  ],
  [
    "Vocab size",
    "How many different tokens there are. GPT-2: 50,257, which are 256 bytes, 50,000 merges and one special token. It counts pieces, not words.",
  ],
  [
    "Context length",
    "How many tokens a model takes at once. It belongs to the model and has nothing to do with the size of the vocabulary.",
  ],
  [
    "Logits",
    "The scores of the last layer before softmax, one for each id: a larger vocabulary makes more of them at every place.",
  ],
  [
    "Embedding",
    "The vector that an id stands for inside a model. The table of them has vocab size × d numbers.",
  ],
  [
    "Greedy",
    "Taking what is best now, without looking ahead and without taking anything back. Training BPE is greedy.",
  ],
  [
    "OOV / [UNK]",
    "Out of vocabulary: what a tokenizer cannot express, and the token it gives instead. In Bengali: অজানা শব্দ, an unknown word. The model sees a hole.",
  ],
  ["Type", "An entry of the vocabulary; each time it occurs in a text is a token of that type."],
  ["Merge", "A step of training that makes one piece of two neighbours; in BPE, of encoding too."],
  ["##", "WordPiece’s mark of continuation: ##est goes on with a word and never begins one."],
  [
    "</w>",
    "The mark of BPE for the end of a word: it keeps the st of star apart from that at the end of widest.",
  ],
  [
    "▁",
    "U+2581, SentencePiece’s sign for a space, and no underscore. Decoding makes a space of each.",
  ],
  [
    "NFKC",
    "A normalization that makes one of what Unicode holds to be alike: the ligature ﬁ and the letters fi, full-width Ａ and A, ² and 2. It cannot be undone.",
  ],
];

/** Eighteen terms. */
export function GlossarySection() {
  return (
    <Section id="glossary" title="Glossary">
      <dl class="glossary">
        {ENTRIES.map(([term, meaning]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
