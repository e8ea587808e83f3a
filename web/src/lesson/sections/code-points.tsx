import { splitWords } from "../../trainers/corpus.ts";
import { encodeWith } from "../engine.ts";
import { BENGALI, SENTENCE } from "../example-sentence.ts";
import { Section, Table } from "../section.tsx";
import { measure } from "../unicode.ts";

/** The vocabulary that Unicode seems to offer, and why nobody takes it. */
export function CodePointsSection() {
  return (
    <Section id="code-points" title="Why not simply code points?">
      <p>
        Unicode has numbered all characters already; in Python <code>ord("A")</code> gives 65. Why
        train a tokenizer, if the code point could be the token? Because it is bad at both of the
        things that a tokenizer is measured by, and does not even keep its promise.
      </p>
      <h3>Too many tokens</h3>
      <p>
        One token a character means that nothing is shortened. The sentence below costs 55 tokens,
        where a production model with some 32,000 pieces needs about a dozen. A token is a place in
        the context and a step of attention, whose cost grows with the square of the length: four or
        five times the tokens is far more than four or five times the work.
      </p>
      <Table
        caption="What a text costs"
        head={["text", "words", "subwords, our small model", "code points", "bytes"]}
        numbers={[1, 2, 3, 4]}
        rows={[rowOf(SENTENCE), rowOf(BENGALI)]}
      />
      <h3>Too many rows, most of them dead</h3>
      <p>
        159,801 characters have been assigned. A model would have to keep a vector for each of them,
        and compute a score for each at every step. English text uses perhaps a hundred: the other
        159,700 rows would get next to no training and stay as random as they began. Section 9 does
        the sum.
      </p>
      <h3>And still not closed</h3>
      <p>
        One might pay all that for never meeting the unknown. But a character vocabulary is learned
        from a corpus, and what was not in it is [UNK]; and if one takes all of Unicode instead, the
        next version has more of it: 17.0 came with 4,803 characters that no earlier vocabulary
        knows.
      </p>
      <Table
        caption="Characters and bytes as an alphabet"
        head={["", "characters", "bytes"]}
        rows={[
          ["how many to begin with", "those of the corpus; 159,801 in all", "256"],
          ["grows with Unicode", "yes", "no"],
          ["a character never seen", "[UNK]", "two to four bytes"],
          ["tokens a character before merges", "1", "1 to 4"],
          ["after merges", "subwords", "subwords"],
        ]}
      />
      <p>
        The row before the last looks like a loss: {BENGALI} is ten code points and 28 bytes. But
        the bytes are only the start. Merges find the sequences that Bengali repeats, and the length
        comes down again: the reach of bytes, the length of subwords.
      </p>
    </Section>
  );
}

function rowOf(text: string) {
  const { codePoints, bytes } = measure(text);
  return [
    text,
    splitWords(text).length,
    encodeWith("unigram", text)?.length ?? "…",
    codePoints,
    bytes,
  ];
}
