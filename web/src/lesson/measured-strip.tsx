import { formatAmount } from "../text/format.ts";
import { Strip, type StripPiece } from "./strip.tsx";

interface MeasuredStripProps {
  readonly name: string;
  /** What one piece is, in the singular. */
  readonly unit: string;
  /** Nothing: they are still on their way. */
  readonly pieces: readonly StripPiece[] | undefined;
  readonly showIds?: boolean;
}

/** A strip with its name and its length before it. */
export function MeasuredStrip({ name, unit, pieces, showIds = false }: MeasuredStripProps) {
  return (
    <div class="measured">
      <p class="measured-name">
        <strong>{name}</strong>
        <span class="quiet">{pieces === undefined ? "…" : formatAmount(pieces.length, unit)}</span>
      </p>
      <Strip label={name} pieces={pieces ?? []} showIds={showIds} />
    </div>
  );
}
