/** One line of the table: the same session with viewers and taps, recorded or not. */
export interface RecordRow {
  readonly name: string;
  readonly recorded: boolean;
}

export const ROW_NAMES = { watched: 'watched', recorded: 'watched and recorded' } as const;

export const RECORD_ROWS: readonly RecordRow[] = [
  { name: ROW_NAMES.watched, recorded: false },
  { name: ROW_NAMES.recorded, recorded: true },
];

/** Number of viewers of the recorded screen. */
export const VIEWERS = 4;
/** Taps per second, at fixed times. */
export const TAPS_PER_SECOND = 200;
