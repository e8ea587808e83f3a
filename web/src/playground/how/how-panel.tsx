import { VisibleText } from "../../components/visible-text.tsx";
import { formatScore } from "../../text/format.ts";
import { CutList } from "./cut-list.tsx";
import { DrawingFields } from "./drawing-fields.tsx";
import { LatticeView } from "./lattice-view.tsx";
import { MergeTree } from "./merge-tree.tsx";
import { DRAWS, type Origin, origin } from "./origin.ts";

/** Why the model cut the text as it did, around the chosen token, and how else it might have. */
export function HowPanel() {
  const of = origin.value;
  return (
    <section class="panel how-panel" aria-labelledby="how-heading">
      <div class="panel-header">
        <h2 id="how-heading">How it came about</h2>
        {of !== undefined && <p class="hint">by {of.column.model.source.name}</p>}
      </div>
      {of === undefined ? (
        <p class="hint">Choose a token above: here is told how it came about.</p>
      ) : (
        <>
          <Derivation of={of} />
          {of.best.length > 0 && <BestCuts of={of} />}
          {of.drawn.length > 0 && <DrawnCuts of={of} />}
        </>
      )}
    </section>
  );
}

function Derivation({ of }: { readonly of: Origin }) {
  const { derivation, stretch, chosen } = of;
  if (derivation === undefined) {
    return <p class="hint">This kind of model looks each word or character up, and no more.</p>;
  }
  return (
    <div class="how-part">
      <h3>{derivation.kind === "merges" ? "Merges" : "Lattice"}</h3>
      <p class="hint">
        {derivation.kind === "merges"
          ? "Of all neighbours that make a piece, those with the highest score are merged; the small numbers tell the order."
          : `Every piece that fits, with its score; the best path is in the first row. Its scores sum up to ${formatScore(derivation.bestScore)}.`}
        {stretch.tokens.some(({ type }) => type === "BYTE") &&
          " What is no piece is then spelled in bytes."}
      </p>
      {derivation.kind === "merges" ? (
        <MergeTree history={derivation} chosen={rootOf(of, chosen - stretch.begin)} />
      ) : (
        <LatticeView lattice={derivation} />
      )}
      {!of.isTrue && (
        <p class="hint">
          Within the whole text it came out differently: what lies around this stretch counts too.
        </p>
      )}
    </div>
  );
}

/** Byte tokens are several for one root. */
function rootOf({ derivation, stretch }: Origin, token: number): number {
  if (derivation?.kind !== "merges") return -1;
  const { type, id } = stretch.tokens[token] ?? {};
  if (type === "BYTE") return -1;
  const before = stretch.tokens.slice(0, token).filter((each) => each.id === id).length;
  const alike = derivation.roots.flatMap((root, i) => (root.id === id ? [i] : []));
  return alike[before] ?? -1;
}

function BestCuts({ of }: { readonly of: Origin }) {
  const best = of.best[0]?.score ?? 0;
  const cuts = of.best.map((cut) => ({
    ...cut,
    note: `${formatScore(cut.score)} · ${Math.exp(cut.score - best).toFixed(2)} of the best`,
  }));
  return (
    <div class="how-part">
      <h3>The {cuts.length} best cuts</h3>
      <OfLine line={of.line} />
      <CutList label="Best cuts" cuts={cuts} />
    </div>
  );
}

function DrawnCuts({ of }: { readonly of: Origin }) {
  const cuts = of.drawn.map((cut) => ({ ...cut, note: `${cut.times} of ${DRAWS}` }));
  return (
    <div class="how-part">
      <h3>{DRAWS} cuts, drawn</h3>
      <OfLine line={of.line} />
      <DrawingFields isUnigram={of.best.length > 0} />
      <CutList label="Drawn cuts" cuts={cuts} />
    </div>
  );
}

function OfLine({ line }: { readonly line: string }) {
  return (
    <p class="hint of-line">
      Of the line <VisibleText text={line} />
    </p>
  );
}
