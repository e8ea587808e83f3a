// Successive ids get hues that lie far apart: the golden angle.
const DEGREES_PER_ID = 137.508;

/** The hue of a token's colours, in degrees; theme.css gives lightness and strength. */
export function hueOf(id: number): string {
  return ((id * DEGREES_PER_ID) % 360).toFixed(1);
}
