import { Scroller } from "../../components/scroller.tsx";
import { VisibleText } from "../../components/visible-text.tsx";
import { formatScore } from "../../text/format.ts";
import type { Lattice, LatticeEdge } from "../../worker/messages.ts";

/** Every piece below the characters that it covers; the best path in the first row. */
export function LatticeView({ lattice }: { readonly lattice: Lattice }) {
  const rows = inRows(lattice.edges);
  const columns = `repeat(${lattice.characters.length}, minmax(3.2rem, 1fr))`;
  return (
    <Scroller label="Lattice">
      <div class="lattice" aria-hidden="true" style={{ gridTemplateColumns: columns }}>
        {lattice.characters.map((character, i) => (
          <span key={i} class="lattice-character">
            <VisibleText text={character} />
          </span>
        ))}
      </div>
      <ul class="lattice" style={{ gridTemplateColumns: columns }}>
        {rows.flatMap((row, r) =>
          row.map((edge) => <Edge key={`${edge.begin}-${edge.end}`} edge={edge} row={r + 1} />),
        )}
      </ul>
    </Scroller>
  );
}

function Edge({ edge, row }: { readonly edge: LatticeEdge; readonly row: number }) {
  const { begin, end, text, id, score, isBest } = edge;
  return (
    <li
      class="lattice-edge"
      data-best={isBest}
      style={{ gridColumn: `${begin + 1} / ${end + 1}`, gridRow: String(row) }}
    >
      <span class="lattice-piece">
        {isBest && <span class="visually-hidden">On the best path: </span>}
        <VisibleText text={text} />
      </span>
      <span class="lattice-score">
        {id < 0 && "unknown "}
        {formatScore(score, 2)}
      </span>
    </li>
  );
}

/** The best path, then the others, each in the first row where there is room. */
function inRows(edges: readonly LatticeEdge[]): LatticeEdge[][] {
  const rows: LatticeEdge[][] = [edges.filter(({ isBest }) => isBest)];
  for (const edge of edges) {
    if (edge.isBest) continue;
    const free = rows.slice(1).find((row) => row.every((other) => areApart(edge, other)));
    if (free === undefined) rows.push([edge]);
    else free.push(edge);
  }
  return rows;
}

function areApart(a: LatticeEdge, b: LatticeEdge): boolean {
  return a.end <= b.begin || b.end <= a.begin;
}
