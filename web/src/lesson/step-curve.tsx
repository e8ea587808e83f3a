interface StepCurveProps {
  /** Read out, with the value at the mark. */
  readonly label: string;
  /** One for each step, from 0; none is negative. */
  readonly values: readonly number[];
  /** The step that is marked. */
  readonly at: number;
}

// In units of the drawing, which grows with the page.
const WIDTH = 320;
const HEIGHT = 110;
const LEFT = 30;
const RIGHT = 12;
const TOP = 16;
const BOTTOM = 18;

/** A number that changes from step to step, with a mark at one of them. */
export function StepCurve({ label, values, at }: StepCurveProps) {
  const highest = Math.max(1, ...values);
  const last = Math.max(1, values.length - 1);
  const x = (step: number) => LEFT + ((WIDTH - LEFT - RIGHT) * step) / last;
  const y = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / highest;
  const value = values[at] ?? 0;
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${label}: ${value} after ${at}`}
    >
      <line class="axis" x1={LEFT} x2={WIDTH - RIGHT} y1={y(0)} y2={y(0)} />
      <text class="tick" x={LEFT - 5} y={y(highest) + 3} text-anchor="end">
        {highest}
      </text>
      <text class="tick" x={LEFT - 5} y={y(0) + 3} text-anchor="end">
        0
      </text>
      <text class="tick" x={x(0)} y={HEIGHT - 5} text-anchor="middle">
        0
      </text>
      <text class="tick" x={x(last)} y={HEIGHT - 5} text-anchor="middle">
        {values.length - 1}
      </text>
      <polyline
        class="curve"
        points={values.map((each, step) => `${x(step)},${y(each)}`).join(" ")}
      />
      <circle class="mark" cx={x(at)} cy={y(value)} r={4} />
      <text class="mark-value" x={x(at)} y={y(value) - 7} text-anchor="middle">
        {value}
      </text>
    </svg>
  );
}
