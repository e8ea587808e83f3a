import type { PieceType } from "spmlite";
import { VisibleText } from "../components/visible-text.tsx";
import { type Token, tokenAt } from "../engine/token.ts";
import { formatBytes, formatCount, formatScore } from "../text/format.ts";
import type { Column } from "./column.ts";

const TYPE_NAMES: Readonly<Record<PieceType, string>> = {
  NORMAL: "normal",
  UNKNOWN: "unknown",
  CONTROL: "control",
  USER_DEFINED: "user-defined",
  UNUSED: "unused",
  BYTE: "byte",
};

/** All about the token under the pointer, else the one that was gone to last. */
export function TokenCard({ column }: { readonly column: Column }) {
  const encoding = column.encoding.value;
  const index = column.hoveredIndex.value ?? column.chosenIndex.value;
  const token = encoding && tokenAt(encoding, index);
  if (token === undefined) return null;
  return (
    <section class="card" aria-label={`About the token of ${column.model.source.name}`}>
      <p class="card-title">
        <span class="card-piece">
          <VisibleText text={token.piece} />
        </span>
        <span class="quiet">
          token {formatCount(index + 1)} of {formatCount(encoding?.ids.length ?? 0)}
        </span>
      </p>
      <dl class="card-facts">
        <Fact name="id">{token.id}</Fact>
        <Fact name="type">{TYPE_NAMES[token.type]}</Fact>
        <Fact name="score">{formatScore(token.score)}</Fact>
        <Fact name="text">
          {token.surface === "" ? (
            <span class="quiet">none</span>
          ) : (
            <VisibleText text={token.surface} />
          )}
        </Fact>
        <Fact name="UTF-16 span">{formatSpan(token.span)}</Fact>
        <Fact name="byte span">{formatSpan(token.byteSpan)}</Fact>
        <Fact name="bytes">{formatBytes(token.bytes) || <span class="quiet">none</span>}</Fact>
      </dl>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: preact.ComponentChildren;
}

function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function formatSpan([begin, end]: Token["span"]): string {
  return `${formatCount(begin)}–${formatCount(end)}`;
}
