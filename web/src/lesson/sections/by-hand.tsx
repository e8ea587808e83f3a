import { ByHandLab } from "../labs/by-hand.tsx";
import { Section } from "../section.tsx";

/** What a merge is, without any counting yet. */
export function ByHandSection() {
  return (
    <Section id="by-hand" title="Byte pair encoding by hand">
      <p>
        <dfn>Byte pair encoding</dfn>, BPE, is how GPT, Llama, Mistral and Gemma find their
        subwords, and it can be done with pencil and paper. Spell the word in characters. Then take
        a list of <dfn>merges</dfn>, pairs of neighbours in a fixed order; go down the list once,
        and wherever the pair stands, write the two as one.
      </p>
      <p>
        With l + o and lo + w, the word <em>low</em> goes from three tokens to two to one. With e +
        s and es + t on top, <em>lowest</em> is low, est, though nobody put it on any list;{" "}
        <em>lower</em> is low, e, r; and <em>lovely</em>, which has little of all this, stays lo, v,
        e, l, y.
      </p>
      <ByHandLab />
      <p>
        That is all there is to <em>encoding</em>. What is missing is where the list comes from:
        that is <em>training</em>, and next.
      </p>
    </Section>
  );
}
