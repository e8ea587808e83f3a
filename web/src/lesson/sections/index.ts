import type { ComponentType } from "preact";
import { AlgorithmsSection } from "./algorithms.tsx";
import { BpeSection } from "./bpe.tsx";
import { ByHandSection } from "./by-hand.tsx";
import { FourWaysSection } from "./four-ways.tsx";
import { UnicodeSection } from "./unicode.tsx";
import { WordsSection } from "./words.tsx";

export interface SectionEntry {
  readonly id: string;
  /** As the table of contents has it. */
  readonly name: string;
  readonly Body: ComponentType;
}

/** The lesson, in its order. */
export const SECTIONS: readonly SectionEntry[] = [
  { id: "unicode", name: "Characters, numbers, bytes", Body: UnicodeSection },
  { id: "four-ways", name: "One text, four ways", Body: FourWaysSection },
  { id: "words", name: "Word level", Body: WordsSection },
  { id: "by-hand", name: "BPE by hand", Body: ByHandSection },
  { id: "bpe", name: "Training BPE", Body: BpeSection },
  { id: "algorithms", name: "Three trainers", Body: AlgorithmsSection },
];
