import { DifferenceSwitch } from "./difference-switch.tsx";
import { EdgeLegend } from "./edge-legend.tsx";
import { LimitField } from "./limit.tsx";
import { columns, loading } from "./state.ts";
import { EmptyPanel, TokensPanel } from "./tokens-panel.tsx";
import { ViewSwitch } from "./view-switch.tsx";

/** The tokens of each model, side by side. */
export function Columns() {
  const all = columns.value;
  return (
    <section class="columns-area" aria-labelledby="tokens-heading">
      <div class="panel-header">
        <h2 id="tokens-heading">Tokens</h2>
        <DifferenceSwitch />
        <LimitField />
        <ViewSwitch />
      </div>
      <div class="columns" data-count={Math.max(1, all.length)}>
        {all.length === 0 && <EmptyPanel name={loading.value[0]?.name} />}
        {all.map((column) => (
          <TokensPanel key={column.key} column={column} />
        ))}
      </div>
      <EdgeLegend />
    </section>
  );
}
