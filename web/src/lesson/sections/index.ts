import type { ComponentType } from "preact";
import { UnicodeSection } from "./unicode.tsx";

export interface SectionEntry {
  readonly id: string;
  /** As the table of contents has it. */
  readonly name: string;
  readonly Body: ComponentType;
}

/** The lesson, in its order. */
export const SECTIONS: readonly SectionEntry[] = [
  { id: "unicode", name: "Characters, numbers, bytes", Body: UnicodeSection },
];
