// What the schematics are drawn with, in units of their own: 360 across, and upright, so that they
// can be read on a phone.

import type { ComponentChildren } from "preact";

const WIDTH = 360;

interface SchematicProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** All that the drawing says, for those who do not see it. */
  readonly description: string;
  readonly height: number;
  readonly children: ComponentChildren;
}

export function Schematic({ id, title, description, height, children }: SchematicProps) {
  return (
    <figure class="schematic">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-description`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{description}</desc>
        {children}
      </svg>
      <figcaption>{title}</figcaption>
    </figure>
  );
}

interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly lines: readonly string[];
  /** Rounder, with an edge that stands out. */
  readonly isQuestion?: boolean;
}

export const BOX_HEIGHT = 50;
const LINE_HEIGHT = 17;

export function Box({ x, y, width, lines, isQuestion = false }: BoxProps) {
  const first = y + BOX_HEIGHT / 2 + 5 - ((lines.length - 1) * LINE_HEIGHT) / 2;
  return (
    <g class="schematic-box" data-question={isQuestion}>
      <rect x={x} y={y} width={width} height={BOX_HEIGHT} rx={isQuestion ? BOX_HEIGHT / 2 : 8} />
      {lines.map((line, i) => (
        <text key={line} x={x + width / 2} y={first + i * LINE_HEIGHT} text-anchor="middle">
          {line}
        </text>
      ))}
    </g>
  );
}

interface ArrowProps {
  readonly path: string;
  /** The id of an arrowhead. */
  readonly head: string;
}

export function Arrow({ path, head }: ArrowProps) {
  return <path class="schematic-arrow" d={path} marker-end={`url(#${head})`} />;
}

export function Arrowhead({ id }: { readonly id: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 10 10"
      refX="8"
      refY="5"
      markerWidth="8"
      markerHeight="8"
      orient="auto"
    >
      <path class="schematic-head" d="M0 0 L10 5 L0 10 z" />
    </marker>
  );
}
