import { Checkpoint } from "../checkpoints.tsx";
import { FourWayLab } from "../labs/four-ways.tsx";
import { Section } from "../section.tsx";

/** Words, characters, subwords, bytes: what each of them costs. */
export function FourWaysSection() {
  return (
    <Section id="four-ways" title="One text, four ways">
      <p>
        There are four places to cut a text, from coarse to fine: between words, between subwords,
        between characters, between bytes. Coarse cuts give few tokens of very many kinds, fine cuts
        many tokens of few kinds. The lab lets you watch that trade: <code>café 👋</code> is two
        words, six characters and ten bytes; <code>বাংলা 日本語</code> two words, nine characters and
        twenty-five bytes.
      </p>
      <FourWayLab />
      <p>
        The bytes are always the longest row, and by how much depends on the script. The subwords
        lie somewhere between: what the model has often seen is one piece, what it has never seen
        comes down to bytes.
      </p>
      <Checkpoint section="four-ways" />
    </Section>
  );
}
