/** Number of sessions that are active beside the taps. */
export const SESSIONS = 8;
/** Number of sessions that are in constant motion and are recorded; the screens of the others change with each tap. */
export const RECORDED = 2;
export const VIEWERS = 40;
export const TAPS_PER_SECOND = 200;

/** One line of the table: the same taps, alone or with everything else at once. */
export interface MixedRow {
  readonly name: string;
  readonly kind: 'echo' | 'idle' | 'mixed';
}

export const ROW_NAMES = {
  echo: 'uWS echo',
  idle: 'service, nothing else going on',
  mixed: 'service, everything at once',
} as const satisfies Record<MixedRow['kind'], string>;

export const MIXED_ROWS: readonly MixedRow[] = (['echo', 'idle', 'mixed'] as const).map((kind) => ({
  name: ROW_NAMES[kind],
  kind,
}));
