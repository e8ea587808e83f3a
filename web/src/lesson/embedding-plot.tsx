import { formatCount } from "../text/format.ts";
import { countParameters, PLOT_MARKS } from "./embedding.ts";

interface EmbeddingPlotProps {
  /** The vocabulary that is marked. */
  readonly size: number;
  readonly width: number;
  readonly isTied: boolean;
  /** Where the axis ends. */
  readonly most: number;
}

// In units of the drawing, which grows with the page.
const WIDTH = 360;
const HEIGHT = 170;
const LEFT = 44;
const RIGHT = 14;
const TOP = 18;
const BOTTOM = 34;

/** Parameters over the size of the vocabulary: a straight line, and that is the point. */
export function EmbeddingPlot({ size, width, isTied, most }: EmbeddingPlotProps) {
  const parametersOf = (vocabulary: number) => countParameters(vocabulary, width, isTied);
  const highest = parametersOf(most);
  const x = (vocabulary: number) => LEFT + ((WIDTH - LEFT - RIGHT) * vocabulary) / most;
  const y = (parameters: number) =>
    HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * parameters) / highest;
  const parameters = parametersOf(size);
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Parameters by vocabulary size: ${formatCount(parameters)} at ${formatCount(size)}`}
    >
      <line class="axis" x1={LEFT} x2={WIDTH - RIGHT} y1={y(0)} y2={y(0)} />
      <line class="axis" x1={LEFT} x2={LEFT} y1={y(0)} y2={y(highest)} />
      <text class="tick" x={LEFT - 5} y={y(highest) + 3} text-anchor="end">
        {formatMillions(highest)}
      </text>
      <text class="tick" x={LEFT - 5} y={y(0) + 3} text-anchor="end">
        0
      </text>
      <text class="tick" x={WIDTH - RIGHT} y={HEIGHT - 5} text-anchor="end">
        vocabulary size
      </text>
      {PLOT_MARKS.map(({ name, size: of }) => (
        <g key={name}>
          <line class="guide" x1={x(of)} x2={x(of)} y1={y(0)} y2={y(parametersOf(of))} />
          <text class="tick" x={x(of)} y={HEIGHT - BOTTOM + 12} text-anchor="middle">
            {name}
          </text>
        </g>
      ))}
      <line class="curve" x1={x(0)} y1={y(0)} x2={x(most)} y2={y(highest)} />
      <circle class="mark" cx={x(size)} cy={y(parameters)} r={4.5} />
      <text
        class="mark-value"
        x={x(size) - 8}
        y={y(parameters) - 6}
        text-anchor={size < most / 10 ? "start" : "end"}
      >
        {formatMillions(parameters)}
      </text>
    </svg>
  );
}

/** Such as 38.6 M. */
function formatMillions(count: number): string {
  const millions = count / 1e6;
  return millions < 10 ? `${millions.toFixed(1)} M` : `${formatCount(Math.round(millions))} M`;
}
