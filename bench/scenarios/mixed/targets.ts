import type { Comparison } from '../../report/ratios.ts';
import type { MixedFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type MixedFigure = Exclude<keyof MixedFigures, 'name'>;

type Name = keyof typeof ROW_NAMES;
const beside = (of: Name, to: Name, figure: MixedFigure): Comparison<MixedFigure> => ({
  of: ROW_NAMES[of],
  to: ROW_NAMES[to],
  figure,
});

/** Maximum slowdown: a tap may wait for one or two pictures that the host is drawing, but never for all of them. */
export const TARGETS = { tapP50: 3 } as const;

export const MIXED_COMPARISONS: readonly Comparison<MixedFigure>[] = [
  { ...beside('mixed', 'idle', 'tapP50Us'), target: TARGETS.tapP50 },
  beside('mixed', 'idle', 'tapP99Us'),
  beside('mixed', 'echo', 'tapP50Us'),
  beside('idle', 'echo', 'tapP50Us'),
];

/** Absolute limits with everything at once, on any machine. */
export const MIXED_MAX = { tapP99Ms: 50, readyMs: 1_000 } as const;
