import { Arrow, Arrowhead, Box, Schematic } from "./parts.tsx";

const HEAD = "lengths-arrow";

/** Which number belongs to which part of a model. */
export function VocabularyAndLength() {
  return (
    <Schematic
      id="vocabulary-and-length"
      title="Where vocabulary size counts, and where length"
      description="From top to bottom: a text; the tokenizer, which makes n ids of it, each below V; the embedding, V rows of d numbers; the layers, n vectors of d numbers, where n is at most the context length and attention costs n times n; the output, V scores at each of the n places. V, the vocabulary size, sets the height of the tables at both ends. n, the sequence length, sets the work between them."
      height={440}
    >
      <Arrowhead id={HEAD} />
      <Box x={90} y={5} width={180} lines={["Text"]} />
      <Arrow path="M180 55 V83" head={HEAD} />
      <Box x={90} y={90} width={180} lines={["Tokenizer", "n ids, each below V"]} />
      <Arrow path="M180 140 V168" head={HEAD} />
      <Box x={90} y={175} width={180} lines={["Embedding", "V rows of d numbers"]} isQuestion />
      <Arrow path="M180 225 V253" head={HEAD} />
      <Box x={90} y={260} width={180} lines={["Layers", "n × n in attention"]} />
      <Arrow path="M180 310 V338" head={HEAD} />
      <Box x={90} y={345} width={180} lines={["Output", "V scores at each place"]} isQuestion />
      <text class="schematic-word" x={10} y={205}>
        V counts
      </text>
      <text class="schematic-word" x={10} y={375}>
        V counts
      </text>
      <text class="schematic-word" x={350} y={282} text-anchor="end">
        n counts,
      </text>
      <text class="schematic-word" x={350} y={299} text-anchor="end">
        n ≤ context
      </text>
      <text class="schematic-word" x={180} y={425} text-anchor="middle">
        Larger V: fewer n for the same text.
      </text>
    </Schematic>
  );
}
