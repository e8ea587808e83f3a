import { VisibleText } from "../../components/visible-text.tsx";
import type { Cut } from "../../worker/messages.ts";

interface CutListProps {
  readonly label: string;
  readonly cuts: readonly (Cut & { readonly note: string })[];
}

/** Ways to cut a text, one below the other. */
export function CutList({ label, cuts }: CutListProps) {
  return (
    <ol class="cuts" aria-label={label}>
      {cuts.map(({ ids, pieces, note }) => (
        <li key={ids.join()}>
          <span class="cut-note">{note}</span>
          <span class="cut">
            {pieces.map((piece, i) => (
              <span key={i} class="cut-piece">
                <VisibleText text={piece} />
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}
