import { formatCount } from "../../text/format.ts";
import { countParameters, PLOT_MARKS } from "../embedding.ts";
import { EmbeddingCalculator } from "../labs/embedding-calculator.tsx";
import { Section, Table } from "../section.tsx";

const DIMENSIONS = 768;
const [, GPT2] = PLOT_MARKS;

/** Three numbers that are mixed up, and what one of them costs. */
export function VocabularySection() {
  return (
    <Section id="vocabulary" title="What a vocabulary costs">
      <p>
        A model holds a table with a row for every id: the <dfn>embedding</dfn>, which turns an id
        into a vector of <em>d</em> numbers. At its other end it compares what it has computed with
        every id there is, and gives each a score, a <dfn>logit</dfn>; softmax makes probabilities
        of them. Both ends are as large as the vocabulary is: <em>V</em> × <em>d</em> numbers. Many
        models use one table for both (<em>tied</em>); the others pay twice.
      </p>
      <Table
        caption="Rows of 768 numbers"
        head={["vocabulary", "V", "V × 768", "times GPT-2"]}
        numbers={[1, 2, 3]}
        rows={[GPT2, PLOT_MARKS[2], PLOT_MARKS[0]].map(({ name, size }) => [
          name,
          formatCount(size),
          formatCount(countParameters(size, DIMENSIONS, true)),
          (size / GPT2.size).toFixed(size < 1000 ? 3 : 2),
        ])}
      />
      <EmbeddingCalculator />
      <h3>Why 50,257?</h3>
      <p>
        GPT-2’s number is a sum: 256 bytes, 50,000 merges and one token for the end of a text, 256 +
        50,000 + 1 = 50,257. It does not limit what can be written. Two pieces in a row already make{" "}
        {formatCount(GPT2.size ** 2)} combinations, and nobody stops at two:
      </p>
      <Table
        caption="Words from pieces, as a tokenizer may cut them"
        head={["word", "pieces", "how many"]}
        numbers={[2]}
        rows={["un happiness", "token ization", "Kub ernet es", "z y x w v u"].map((cut) => {
          const pieces = cut.split(" ");
          return [pieces.join(""), pieces.join(" + "), pieces.length];
        })}
      />
      <p>
        A larger vocabulary covers no more words, since all were covered before: it spells them in
        fewer pieces.
      </p>
      <h3>Three numbers that are not each other</h3>
      <dl class="definitions">
        <dt>Vocabulary size</dt>
        <dd>
          How many different tokens there are. It is settled when the tokenizer is trained, and part
          of the model from then on. GPT-2: 50,257.
        </dd>
        <dt>Context length</dt>
        <dd>
          How many tokens the model takes at once. It is settled by how the model is built and
          trained. GPT-2: 1,024.
        </dd>
        <dt>Sequence length</dt>
        <dd>How many tokens your text has become. It must fit into the context.</dd>
      </dl>
      <p>
        They touch in one place: with a larger vocabulary a text is fewer tokens, so more text fits
        the same context. And the <em>7B</em> in the name of a model is none of the three: it counts
        the parameters, seven billion, in all layers together. To find the size of a vocabulary look
        for <code>vocab_size</code> in the model’s configuration, or ask its tokenizer.
      </p>
    </Section>
  );
}
