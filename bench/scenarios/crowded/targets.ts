import type { Comparison } from '../../report/ratios.ts';
import type { CrowdedFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type CrowdedFigure = Exclude<keyof CrowdedFigures, 'name'>;

/** Maximum slowdown of taps by a crowd, and maximum number of encodings of a picture for all viewers together. */
export const TARGETS = { tapP99: 2, encodings: 1.1 } as const;

export const CROWDED_COMPARISONS: readonly Comparison<CrowdedFigure>[] = [
  { of: ROW_NAMES.crowded, to: ROW_NAMES.idle, figure: 'tapP50Us' },
  { of: ROW_NAMES.crowded, to: ROW_NAMES.idle, figure: 'tapP99Us', target: TARGETS.tapP99 },
  { of: ROW_NAMES.alone, to: ROW_NAMES.idle, figure: 'tapP99Us' },
  { of: ROW_NAMES.bare, to: ROW_NAMES.idle, figure: 'tapP99Us' },
  { of: ROW_NAMES.crowded, to: ROW_NAMES.bare, figure: 'tapP99Us' },
  { of: ROW_NAMES.crowded, to: ROW_NAMES.alone, figure: 'encodingsPerPicture', target: TARGETS.encodings },
];
