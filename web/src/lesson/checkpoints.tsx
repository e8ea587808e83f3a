import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export interface CheckpointText {
  /** The section that it closes. */
  readonly section: string;
  /** Completes “Leave when you can”. */
  readonly can: ComponentChildren;
}

export const CHECKPOINTS: readonly CheckpointText[] = [
  {
    section: "unicode",
    can: "say in a sentence each what Unicode gives you and what UTF-8 gives you, and why 😊 takes four bytes and A one.",
  },
  {
    section: "four-ways",
    can: "explain why 👋 is longer in bytes than in characters.",
  },
  {
    section: "words",
    can: "say why cat and cats have nothing in common for a tokenizer of words.",
  },
  {
    section: "bpe",
    can: "name what ends the training of BPE, and why merging until no pair is left would spoil it.",
  },
  {
    section: "algorithms",
    can: "explain why the three trainers part the same word in different places.",
  },
  {
    section: "bytes",
    can: "read a row of the inspector and tell graphemes, code points and bytes apart.",
  },
  {
    section: "granularity",
    can: "point at the bar that no production tokenizer draws, and explain how 50,257 pieces spell far more than 50,257 words, and why that number says nothing about context length.",
  },
];

const STORED = "spmlite lesson checkpoints";

/** The sections whose checkpoint is ticked off; the browser keeps them, and nobody else. */
const passed = signal<ReadonlySet<string>>(new Set(readStored()));

effect(() => {
  const sections = [...passed.value].join(" ");
  try {
    localStorage.setItem(STORED, sections);
  } catch {
    // A private window may keep nothing: the ticks last as long as the page.
  }
});

function readStored(): string[] {
  try {
    return (localStorage.getItem(STORED) ?? "").split(" ").filter((section) => section !== "");
  } catch {
    return [];
  }
}

export function isPassed(section: string): boolean {
  return passed.value.has(section);
}

function setPassed(section: string, isTicked: boolean): void {
  const others = [...passed.value].filter((each) => each !== section);
  passed.value = new Set(isTicked ? [...others, section] : others);
}

/** What to be able to do before going on. */
export function Checkpoint({ section }: { readonly section: string }) {
  const text = CHECKPOINTS.find((each) => each.section === section);
  if (text === undefined) throw new Error(`there is no checkpoint ${section}`);
  return (
    <label class="checkpoint">
      <input
        type="checkbox"
        checked={isPassed(section)}
        onChange={(event) => setPassed(section, event.currentTarget.checked)}
      />
      <span>
        <strong>Leave when</strong> you can {text.can}
      </span>
    </label>
  );
}

/** All of them, with how far one has come. */
export function CheckpointList() {
  const count = CHECKPOINTS.filter(({ section }) => isPassed(section)).length;
  return (
    <>
      <p>
        {count} of {CHECKPOINTS.length} ticked off. Your browser remembers them; nothing is sent
        anywhere.
      </p>
      <ol class="checkpoint-list">
        {CHECKPOINTS.map(({ section, can }) => (
          <li key={section}>
            <span class="visually-hidden">{isPassed(section) ? "Passed: " : "Open: "}</span>
            <span aria-hidden="true">{isPassed(section) ? "☑" : "☐"}</span>{" "}
            <a href={`#${section}`}>You can</a> {can}
          </li>
        ))}
      </ol>
    </>
  );
}
