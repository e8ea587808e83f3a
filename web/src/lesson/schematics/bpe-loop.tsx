import { Arrow, Arrowhead, Box, Schematic } from "./parts.tsx";

const HEAD = "bpe-loop-arrow";

/** The training of BPE as a loop. */
export function BpeLoop() {
  return (
    <Schematic
      id="bpe-loop"
      title="The training loop of BPE"
      description="The corpus is spelled in symbols. All pairs of neighbours are counted. When there are enough merges, or no pair occurs twice, training ends with the list of merges and the vocabulary. Otherwise the most frequent pair is joined everywhere, the merge is written down, its piece gets the next id, and the pairs are counted again."
      height={440}
    >
      <Arrowhead id={HEAD} />
      <Box x={40} y={5} width={220} lines={["Spell the corpus in symbols"]} />
      <Arrow path="M150 55 V83" head={HEAD} />
      <Box x={40} y={90} width={220} lines={["Count all pairs", "of neighbours"]} />
      <Arrow path="M150 140 V168" head={HEAD} />
      <Box
        x={40}
        y={175}
        width={220}
        lines={["Enough merges, or no", "pair that occurs twice?"]}
        isQuestion
      />
      <text class="schematic-word" x={160} y={246}>
        no
      </text>
      <Arrow path="M150 225 V253" head={HEAD} />
      <Box x={40} y={260} width={220} lines={["Join the most frequent", "pair everywhere"]} />
      <Arrow path="M150 310 V338" head={HEAD} />
      <Box x={40} y={345} width={220} lines={["Write the merge down,", "give its piece an id"]} />
      <Arrow path="M40 370 H20 Q10 370 10 360 V125 Q10 115 20 115 H34" head={HEAD} />
      <text class="schematic-word" x={264} y={190}>
        yes
      </text>
      <Arrow path="M260 200 H300 Q310 200 310 210 V388" head={HEAD} />
      <text x={350} y={410} text-anchor="end">
        merges, vocabulary
      </text>
    </Schematic>
  );
}
