import type { Comparison } from '../../report/ratios.ts';
import type { SocketFigures, StepFigures } from './figures.ts';
import { KINDS, type Kind, SOCKET_ROWS, stepName } from './rows.ts';

export type SocketFigure = Exclude<keyof SocketFigures, 'name'>;
export type StepFigure = Exclude<keyof StepFigures, 'name' | 'kind'>;

/** Resident memory of an idle control socket: with it 100,000 of them fit into the memory of a small server. */
export const SOCKET_BYTES_MAX = 6_000;
/** What one of a hundred may cost beside one of ten: nothing is kept or done for each pair of them. */
export const FLAT_MAX = 1.25;

export const SOCKET_COMPARISONS: readonly Comparison<SocketFigure>[] = [
  { of: SOCKET_ROWS.service, to: SOCKET_ROWS.uws, figure: 'rssBytes' },
  { of: SOCKET_ROWS.service, to: SOCKET_ROWS.ws, figure: 'rssBytes' },
];

/**
 * By what lives in the heaps and hangs on them, a device's pixels included: resident memory depends on how much of it the
 * process had to spare before.
 */
export const STEP_COMPARISONS: readonly Comparison<StepFigure>[] = (Object.keys(KINDS) as Kind[]).map((kind) => ({
  of: stepName(kind, 100),
  to: stepName(kind, 10),
  figure: 'heapKilobytes',
  target: FLAT_MAX,
}));
