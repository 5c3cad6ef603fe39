/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture whose longer edge is to be `maxLongEdge` at most; pictures are never enlarged. */
export function fit({ width, height }: Size, maxLongEdge: number | undefined): Size {
  const share = Math.min(1, (maxLongEdge ?? Number.POSITIVE_INFINITY) / Math.max(width, height));
  const scaled = (edge: number) => Math.max(1, Math.round(edge * share));
  return { width: scaled(width), height: scaled(height) };
}

/** The same in even numbers, as 4:2:0 has one colour sample for two pixels each way. Rounds down, so the bound holds. */
export function fitEven(size: Size, maxLongEdge: number | undefined): Size {
  const { width, height } = fit(size, maxLongEdge);
  const even = (edge: number) => Math.max(2, edge - (edge % 2));
  return { width: even(width), height: even(height) };
}

export const sameSize = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;
