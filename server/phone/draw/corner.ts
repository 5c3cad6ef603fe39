/** Outline of a corner: a circular arc, or the superellipse of iOS icons. */
export type CornerShape = 'round' | 'smooth';

const EXPONENTS: Readonly<Record<CornerShape, number>> = { round: 2, smooth: 2.6 };
const SAMPLES = 8;
const cache = new Map<string, Uint8Array>();

/**
 * Coverage of each pixel of the top left corner, 0 to 255, as `radius` rows of `radius` pixels. The other corners are mirror
 * images.
 */
export function cornerCoverage(radius: number, shape: CornerShape): Uint8Array {
  const key = `${shape}${radius}`;
  const known = cache.get(key);
  if (known) return known;
  const coverage = new Uint8Array(radius * radius);
  for (let y = 0; y < radius; y++) {
    for (let x = 0; x < radius; x++) coverage[y * radius + x] = sample(x, y, radius, EXPONENTS[shape]);
  }
  cache.set(key, coverage);
  return coverage;
}

function sample(x: number, y: number, radius: number, exponent: number): number {
  const isInside = (across: number, down: number) =>
    Math.abs(1 - across / radius) ** exponent + Math.abs(1 - down / radius) ** exponent <= 1;
  // Only the pixels that the outline crosses need samples.
  if (isInside(x, y)) return 255;
  if (!isInside(x + 1, y + 1)) return 0;
  let inside = 0;
  for (let row = 0; row < SAMPLES; row++) {
    for (let column = 0; column < SAMPLES; column++) {
      if (isInside(x + (column + 0.5) / SAMPLES, y + (row + 0.5) / SAMPLES)) inside++;
    }
  }
  return Math.round((inside * 255) / (SAMPLES * SAMPLES));
}
