import type { ComponentType } from "preact";
import { AlgorithmsSection } from "./algorithms.tsx";
import { BpeSection } from "./bpe.tsx";
import { ByHandSection } from "./by-hand.tsx";
import { BytesSection } from "./bytes.tsx";
import { CodePointsSection } from "./code-points.tsx";
import { FourWaysSection } from "./four-ways.tsx";
import { GlossarySection } from "./glossary.tsx";
import { GranularitySection } from "./granularity.tsx";
import { NotebooksSection } from "./notebooks.tsx";
import { PracticeSection } from "./practice.tsx";
import { UnicodeSection } from "./unicode.tsx";
import { VocabularySection } from "./vocabulary.tsx";
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
  { id: "bytes", name: "Byte level", Body: BytesSection },
  { id: "code-points", name: "Why not code points?", Body: CodePointsSection },
  { id: "vocabulary", name: "What a vocabulary costs", Body: VocabularySection },
  { id: "granularity", name: "How long is a sentence?", Body: GranularitySection },
  { id: "glossary", name: "Glossary", Body: GlossarySection },
  { id: "practice", name: "Out in the world", Body: PracticeSection },
  { id: "notebooks", name: "Notebooks", Body: NotebooksSection },
];
