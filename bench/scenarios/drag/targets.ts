import type { Comparison } from '../../report/ratios.ts';
import type { DragRowFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type DragFigure = Exclude<keyof DragRowFigures, 'name'>;

/** Maximum latency of a step relative to an echo of the same message at the same rate; the same limits as for a tap. */
export const TARGETS = { p50: 1.8, p99: 2.5 } as const;

const beside = (of: keyof typeof ROW_NAMES, to: keyof typeof ROW_NAMES, figure: DragFigure, target?: number) => {
  const names = { of: ROW_NAMES[of], to: ROW_NAMES[to], figure };
  return target === undefined ? names : { ...names, target };
};

export const DRAG_COMPARISONS: readonly Comparison<DragFigure>[] = [
  beside('alone', 'echo', 'p50Us', TARGETS.p50),
  beside('alone', 'echo', 'p99Us', TARGETS.p99),
  beside('alone', 'echo', 'jitterP50Us'),
  beside('alone', 'echo', 'jitterP99Us'),
  beside('watched', 'echo', 'p50Us'),
  beside('watched', 'alone', 'p50Us'),
  beside('watched', 'alone', 'p99Us'),
  beside('watched', 'alone', 'jitterP99Us'),
];
