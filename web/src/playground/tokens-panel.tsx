import { Counts } from "./counts.tsx";
import { EdgeLegend } from "./edge-legend.tsx";
import { RoundTrip } from "./round-trip.tsx";
import { TokenCard } from "./token-card.tsx";
import { TokenList } from "./token-list.tsx";
import { ViewSwitch } from "./view-switch.tsx";

/** What became of the text. */
export function TokensPanel() {
  return (
    <section class="panel tokens-panel" aria-labelledby="tokens-heading">
      <div class="panel-header">
        <h2 id="tokens-heading">Tokens</h2>
        <ViewSwitch />
      </div>
      <Counts />
      <TokenList />
      <EdgeLegend />
      <TokenCard />
      <RoundTrip />
    </section>
  );
}
