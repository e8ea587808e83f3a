import { useComputed } from "@preact/signals";
import type { Column } from "./column.ts";
import { TokenCounts } from "./counts.tsx";
import { ExportBar } from "./export-bar.tsx";
import { FitNote } from "./limit.tsx";
import { ModelFactsLine } from "./model-facts.tsx";
import { RoundTripNote } from "./round-trip.tsx";
import { text } from "./text.ts";
import { TokenCard } from "./token-card.tsx";
import { TokenList } from "./token-list.tsx";

/** What became of the text. */
export function TokensPanel({ column }: { readonly column: Column }) {
  const { source, facts } = column.model;
  const headingId = `${column.elementId}-heading`;
  // A key changes the text, and little else here.
  const isBehind = useComputed(() => column.encoding.value?.text !== text.value);
  return (
    <section class="panel tokens-panel" aria-labelledby={headingId} aria-busy={isBehind.value}>
      <div class="tokens-header">
        <h3 id={headingId}>{source.name}</h3>
        <ModelFactsLine of={facts} />
      </div>
      <TokenCounts column={column} />
      <FitNote column={column} />
      <TokenList column={column} />
      <TokenCard column={column} />
      <RoundTripNote column={column} />
      <ExportBar column={column} />
    </section>
  );
}

/** Stands where the tokens will be. */
export function EmptyPanel({ name }: { readonly name: string | undefined }) {
  return (
    <section class="panel tokens-panel" aria-label="Tokens" aria-busy={name !== undefined}>
      <p class="hint" role="status">
        {name === undefined ? "No model is chosen: choose one above." : `Loading ${name} …`}
      </p>
    </section>
  );
}
