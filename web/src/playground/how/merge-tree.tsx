import { Scroller } from "../../components/scroller.tsx";
import { VisibleText } from "../../components/visible-text.tsx";
import { formatScore } from "../../text/format.ts";
import type { MergeHistory, MergeNode } from "../../worker/messages.ts";

interface MergeTreeProps {
  readonly history: MergeHistory;
  /** Which of the roots is the chosen token. */
  readonly chosen: number;
}

/** The pieces of a word above the characters that they were merged from. */
export function MergeTree({ history, chosen }: MergeTreeProps) {
  return (
    <>
      <Scroller label="Merge tree">
        <ul class="tree">
          {history.roots.map((root, i) => (
            <Node key={i} node={root} isChosen={i === chosen} />
          ))}
        </ul>
      </Scroller>
      <Steps of={history} />
    </>
  );
}

function Node({ node, isChosen }: { readonly node: MergeNode; readonly isChosen: boolean }) {
  return (
    <li class="tree-node" data-chosen={isChosen}>
      <span class="tree-piece">
        <VisibleText text={node.text} />
        {node.step > 0 && <span class="tree-step">{node.step}</span>}
      </span>
      {node.parts.length > 0 && (
        <ul class="tree-parts">
          {node.parts.map((part, i) => (
            <Node key={i} node={part} isChosen={false} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Steps({ of: { steps } }: { readonly of: MergeHistory }) {
  if (steps.length === 0) return <p class="hint">No two neighbours here make a piece.</p>;
  return (
    <ol class="merge-steps" aria-label="Merges in their order">
      {steps.map(({ parts, text, score, step }) => (
        <li key={step}>
          <code>
            <VisibleText text={parts[0]?.text ?? ""} />
          </code>{" "}
          +{" "}
          <code>
            <VisibleText text={parts[1]?.text ?? ""} />
          </code>{" "}
          →{" "}
          <code>
            <VisibleText text={text} />
          </code>{" "}
          <span class="quiet">score {formatScore(score)}</span>
        </li>
      ))}
    </ol>
  );
}
