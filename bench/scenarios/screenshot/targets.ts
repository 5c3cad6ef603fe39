import type { Comparison } from '../../report/ratios.ts';
import type { ScreenshotFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type ScreenshotFigure = Exclude<keyof ScreenshotFigures, 'name'>;

/** Maximum time of a screenshot, including drawing, thread hops and sending, relative to the encoding of its picture. */
export const TARGETS = { changedP50: 1.3 } as const;

type Name = keyof typeof ROW_NAMES;
function beside(of: Name, to: Name, figure: ScreenshotFigure, target?: number): Comparison<ScreenshotFigure> {
  const names = { of: ROW_NAMES[of], to: ROW_NAMES[to], figure };
  return target === undefined ? names : { ...names, target };
}

export const SCREENSHOT_COMPARISONS: readonly Comparison<ScreenshotFigure>[] = [
  beside('rest', 'library', 'p50Ms', TARGETS.changedP50),
  beside('rest', 'library', 'p99Ms'),
  beside('socket', 'library', 'p50Ms', TARGETS.changedP50),
  beside('rest', 'encoder', 'p50Ms'),
  beside('rest', 'encodedRoute', 'p50Ms'),
  beside('rest', 'encodedRoute', 'p99Ms'),
  beside('still', 'bytesRoute', 'p50Ms'),
];
