/** A place on the screen, 0 to 1 on both axes. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Below the tiles of Touch Lab, so that no text lies under a mark. */
const PLACES_X = [0.15, 0.32, 0.5, 0.68, 0.85] as const;
const PLACES_Y = [0.72, 0.79, 0.86] as const;

/** The place of the n-th tap: far from the tap before, and different from the two before that. */
export function placeOf(n: number): Place {
  const x = PLACES_X[(n * 2) % PLACES_X.length] ?? 0.5;
  const y = PLACES_Y[n % PLACES_Y.length] ?? 0.8;
  return { x, y };
}
