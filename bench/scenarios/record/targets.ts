import type { Comparison } from '../../report/ratios.ts';
import type { RecordFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type RecordFigure = Exclude<keyof RecordFigures, 'name'>;

/**
 * Maximum costs that a recording adds to a session with viewers: taps stay fast, no picture is encoded twice, and writing
 * packets to the disk costs little compared with drawing and encoding them.
 */
export const TARGETS = { tapP99: 1.5, encodings: 1.1, cpu: 1.05 } as const;
/** Maximum time from `stop` to `ready`, for a recording of a minute. */
export const READY_MS_MAX = 1_000;

const beside = (figure: RecordFigure, target?: number): Comparison<RecordFigure> => {
  const names = { of: ROW_NAMES.recorded, to: ROW_NAMES.watched, figure };
  return target === undefined ? names : { ...names, target };
};

export const RECORD_COMPARISONS: readonly Comparison<RecordFigure>[] = [
  beside('tapP50Us'),
  beside('tapP99Us', TARGETS.tapP99),
  beside('encodingsPerPicture', TARGETS.encodings),
  beside('serverCores', TARGETS.cpu),
];
