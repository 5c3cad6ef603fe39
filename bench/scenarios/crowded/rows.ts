/** The viewers: none, a crowd on the session, or the same crowd on a bare sender while the session has one viewer. */
export type Crowd = 'none' | 'session' | 'bare';

/** One line of the table: the same session, tapped at the same pace. */
export interface CrowdedRow {
  readonly name: string;
  /** Whether the app Motion is in front. */
  readonly moving: boolean;
  readonly viewers: number;
  readonly crowd: Crowd;
}

export const VIEWERS = 200;
/** Taps per second, at fixed times. */
export const TAPS_PER_SECOND = 200;

export const ROW_NAMES = {
  idle: 'at rest, nobody watches',
  alone: 'moving, 1 viewer',
  crowded: `moving, ${VIEWERS} viewers`,
  bare: `moving, 1 viewer, ${VIEWERS} of a bare sender`,
} as const;

export const CROWDED_ROWS: readonly CrowdedRow[] = [
  { name: ROW_NAMES.idle, moving: false, viewers: 0, crowd: 'none' },
  { name: ROW_NAMES.alone, moving: true, viewers: 1, crowd: 'session' },
  { name: ROW_NAMES.crowded, moving: true, viewers: VIEWERS, crowd: 'session' },
  { name: ROW_NAMES.bare, moving: true, viewers: VIEWERS, crowd: 'bare' },
];
