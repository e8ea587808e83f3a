import type { ComponentChildren } from "preact";
import { useOutcome } from "../components/use-outcome.ts";
import { linkTo, resetLab } from "./parameters.ts";

interface LabProps {
  /** Names its parameters and is its anchor. */
  readonly id: string;
  readonly title: string;
  /** What to do here, in a sentence or two. */
  readonly task: ComponentChildren;
  /** What a reset ends besides giving the parameters back. */
  readonly onReset?: () => void;
  readonly children: ComponentChildren;
}

/** The frame of every lab: its task, a link to just what it shows, and the way back. */
export function Lab({ id, title, task, onReset, children }: LabProps) {
  const heading = `${id}-heading`;
  const reset = () => {
    onReset?.();
    resetLab(id);
  };
  return (
    <section class="panel lab" id={id} aria-labelledby={heading}>
      <div class="panel-header">
        <h3 id={heading}>
          <span class="lab-mark">Lab</span> {title}
        </h3>
        <div class="lab-buttons">
          <CopyLink lab={id} title={title} />
          <button type="button" class="button" onClick={reset}>
            Reset<span class="visually-hidden"> {title}</span>
          </button>
        </div>
      </div>
      <p class="lab-task">{task}</p>
      {children}
    </section>
  );
}

const SHOWN_MILLISECONDS = 3_000;

function CopyLink({ lab, title }: { readonly lab: string; readonly title: string }) {
  const [said, say] = useOutcome(SHOWN_MILLISECONDS);
  const copy = async () => say(await copied(linkTo(lab)));
  return (
    <>
      <span role="status" class="lab-said">
        {said}
      </span>
      <button type="button" class="button" onClick={copy}>
        Copy link<span class="visually-hidden"> to {title}</span>
      </button>
    </>
  );
}

/** Says what became of it; a page without https, or without permission, has no clipboard. */
async function copied(link: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(link);
    return "Copied";
  } catch {
    location.href = link;
    return "It is in the address bar";
  }
}
