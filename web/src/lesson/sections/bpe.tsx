import { Checkpoint } from "../checkpoints.tsx";
import { BpeTrainer } from "../labs/bpe-trainer/lab.tsx";
import { BpeLoop } from "../schematics/bpe-loop.tsx";
import { Section, Table } from "../section.tsx";

/** Where the list of merges comes from. */
export function BpeSection() {
  return (
    <Section id="bpe" title="Training BPE">
      <p>
        Training finds the merges by counting. It is <dfn>greedy</dfn>: each round takes what is
        best now, looks no further ahead, and takes nothing back.
      </p>
      <ol>
        <li>
          Cut the corpus into words and count how often each occurs. Close every word with{" "}
          <code>{"</w>"}</code>, a symbol of its own, so that no merge reaches over its end, and the
          end can be learned like a letter.
        </li>
        <li>Spell the words in characters: these are the first vocabulary.</li>
        <li>
          Count every pair of neighbours in the corpus. A word that occurs five times counts five
          times.
        </li>
        <li>
          Join the most frequent pair wherever it stands. Of equals, the one met first in the corpus
          wins.
        </li>
        <li>Write the merge down, and give its piece the next id.</li>
        <li>
          Go back to 3, since all counts have changed, until there are as many merges as were asked
          for, or no pair occurs twice.
        </li>
      </ol>
      <BpeLoop />
      <p>
        The corpus of the lab is four words, <em>low</em> five times, <em>lower</em> twice,{" "}
        <em>newest</em> three times and <em>widest</em> twice: eleven symbols, 67 tokens. The pair l
        + o stands in low and lower, 5 + 2 = 7 times, more than any other: it is merge 1. After
        fifteen merges every word is one token, 12 in all, and the vocabulary holds 26 pieces.
        Nothing is left to count.
      </p>
      <BpeTrainer />
      <h3>A word that training never saw</h3>
      <p>
        <em>lowest</em> is not in the corpus. Spelled, with merges 1, 2, 4, 5 and 6 applied, it is{" "}
        <code>low</code> <code>{"est</w>"}</code>. Merge 3, low + {"</w>"}, finds nothing to join:
        here low is not the end of the word. That is what the mark is for: it keeps low, the word,
        apart from low, a beginning.
      </p>
      <h3>Why some models cannot count the r’s</h3>
      <p>
        We see <em>berry</em> in strawberry and in blueberry at once. BPE knows of no such thing; it
        knows what was frequent where it was trained. One vocabulary may cut both words at the
        berry, another somewhere in it, and both spell the words perfectly well:
      </p>
      <Table
        caption="Two imaginable tokenizers"
        head={["word", "one cuts", "another cuts"]}
        rows={[
          ["strawberry", "straw + berry", "str + aw + ber + ry"],
          ["blueberry", "blue + berry", "blue + b + err + y"],
        ]}
      />
      <p>
        In either case the model receives two or four numbers and not ten letters. That does not
        excuse every wrong answer about the letters of strawberry, but it has a part in it. Look at
        the real tokens before you guess.
      </p>
      <h3>What BPE is not</h3>
      <ul>
        <li>
          It does not know grammar: <em>est</em> is there because the pair was frequent, not because
          English makes superlatives with it. Another corpus gives other pieces, many of them across
          the joints of words.
        </li>
        <li>
          It is not optimal. The best choice now may spoil a better one later; it is cheap, and good
          enough.
        </li>
        <li>
          It does not learn while it encodes. The list is fixed when training ends, and encoding
          only replays it.
        </li>
      </ul>
      <Checkpoint section="bpe" />
    </Section>
  );
}
