/** One line of the table: the same watched and tapped session, recorded or not. */
export interface RecordRow {
  readonly name: string;
  readonly recorded: boolean;
}

export const ROW_NAMES = { watched: 'watched', recorded: 'watched and recorded' } as const;

export const RECORD_ROWS: readonly RecordRow[] = [
  { name: ROW_NAMES.watched, recorded: false },
  { name: ROW_NAMES.recorded, recorded: true },
];

/** Who watches the screen that is recorded. */
export const VIEWERS = 4;
/** Taps that leave at fixed times meanwhile. */
export const TAPS_PER_SECOND = 200;
