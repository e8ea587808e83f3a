import { asBytes } from "../../trainers/spelling.ts";
import { Checkpoint } from "../checkpoints.tsx";
import { ByteFallbackLab } from "../labs/byte-fallback.tsx";
import { ByteLevelLab } from "../labs/byte-level.tsx";
import { Section, Table } from "../section.tsx";

/** An alphabet of 256 that nothing can fall out of. */
export function BytesSection() {
  return (
    <Section id="bytes" title="Byte level">
      <p>
        There are many characters, and 256 bytes. A <dfn>byte-level</dfn> tokenizer begins with
        those 256 as its alphabet, so there is no text that it cannot spell: an emoji of next year,
        a name nobody has borne, code, four languages in one line. It has no need of [UNK]. The
        price is length: A is one byte and 👋 four, until a merge has learned better.
      </p>
      <p>
        The algorithm is BPE, unchanged; only what it begins with differs. <em>cat</em> is the bytes
        63 61 74. Learn 63 + 61, and it is [6361] [74]; learn 6361 + 74, and it is [636174], a
        single token that still stands for the same three bytes. 👋 is F0 9F 91 8B, four tokens;
        once its bytes have been joined up to F09F918B it is one. Which of this happens hangs on how
        often the corpus has it. Nothing is lost either way.
      </p>
      <ByteLevelLab />
      <h3>Byte fallback</h3>
      <p>
        SentencePiece has a way between: <dfn>byte fallback</dfn>. The vocabulary is one of ordinary
        subwords, with 256 pieces more, <code>{"<0x00>"}</code> to <code>{"<0xFF>"}</code>. What the
        subwords can spell, they spell; a character that has no piece comes out as its bytes. Llama
        2, Mistral and Gemma work like that.
      </p>
      <Table
        caption="Characters without a piece"
        head={["text", "tokens"]}
        rows={[
          [
            "😊, in a vocabulary without it",
            <code key="bytes">
              {asBytes("😊")
                .map((byte) => `<0x${byte}>`)
                .join(" ")}
            </code>,
          ],
          [
            "café 👋, by Llama 2",
            <code key="llama">{"▁c afé ▁ <0xF0> <0x9F> <0x91> <0x8B>"}</code>,
          ],
        ]}
      />
      <div class="correction">
        <h3>A correction that is worth making</h3>
        <p>
          One often reads that with byte fallback decoding is always exact. It is not. Byte fallback
          sees to it that every character <em>which reaches the model</em> can be spelled. Before
          that, a <dfn>normalizer</dfn> may have rewritten the text: NFKC turns the ligature ﬁ into
          the letters f and i, and ½ into 1, a slash and 2; runs of spaces become one, spaces at the
          ends go. What it has dropped no decoder brings back. Exact are models whose normalizer
          changes nothing, such as Gemma’s, and all others on the texts that it leaves alone; and
          even with those a ▁ that stood in the text comes back as a space.
        </p>
      </div>
      <ByteFallbackLab />
      <Checkpoint section="bytes" />
    </Section>
  );
}
