import type { PieceType } from "spmlite";
import { hueOf } from "../components/hue.ts";
import { VisibleText } from "../components/visible-text.tsx";

export interface StripPiece {
  readonly text: string;
  /** Gives the colour, and is written below; a piece of no vocabulary has none. */
  readonly id?: number | undefined;
  readonly type?: PieceType;
  /** Draws attention to it: it was just made, or is about to be. */
  readonly emphasis?: "made" | "left" | "right" | undefined;
}

interface StripProps {
  /** Read out before the pieces. */
  readonly label: string;
  readonly pieces: readonly StripPiece[];
  readonly showIds?: boolean;
}

const MOST_SHOWN = 300;

/** Pieces in a row, each in the colour of its id, with an edge that tells its kind. */
export function Strip({ label, pieces, showIds = false }: StripProps) {
  return (
    <ol class="strip" aria-label={label}>
      {pieces.slice(0, MOST_SHOWN).map((piece, place) => (
        <Piece key={place} piece={piece} showId={showIds} />
      ))}
      {pieces.length > MOST_SHOWN && <li>… and {pieces.length - MOST_SHOWN} more</li>}
    </ol>
  );
}

function Piece({ piece, showId }: { readonly piece: StripPiece; readonly showId: boolean }) {
  const { text, id, type = "NORMAL", emphasis } = piece;
  return (
    <li
      class={id === undefined ? "chip chip-plain" : "chip"}
      data-type={type}
      data-emphasis={emphasis}
      style={id === undefined ? {} : { "--hue": hueOf(id) }}
    >
      <span class="chip-text">
        <VisibleText text={text} />
      </span>
      {showId && <span class="chip-id">{id ?? "–"}</span>}
    </li>
  );
}
