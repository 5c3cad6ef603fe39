import type { Comparison } from '../../report/ratios.ts';
import type { SocketFigures, StepFigures } from './figures.ts';
import { KINDS, type Kind, SOCKET_ROWS, stepName } from './rows.ts';

export type SocketFigure = Exclude<keyof SocketFigures, 'name'>;
export type StepFigure = Exclude<keyof StepFigures, 'name' | 'kind'>;

/** Maximum resident memory of an idle control socket, so that 100,000 of them fit into the memory of a small server. */
export const SOCKET_BYTES_MAX = 6_000;
/** The part of it that is in V8's heap, with the buffers outside of it; and the same of a viewer whose screen stands still. */
export const HEAP_BYTES_MAX = { socket: 4_000, viewer: 16_000 } as const;
/** Maximum cost of one of a hundred relative to one of ten, so that no cost grows with the number of pairs. */
export const FLAT_MAX = 1.25;

export const SOCKET_COMPARISONS: readonly Comparison<SocketFigure>[] = [
  { of: SOCKET_ROWS.service, to: SOCKET_ROWS.uws, figure: 'rssBytes' },
  { of: SOCKET_ROWS.service, to: SOCKET_ROWS.ws, figure: 'rssBytes' },
];

/**
 * Compares heaps with their external buffers, including the pixels of devices, because resident memory also depends on how
 * much free memory the process had before.
 */
export const STEP_COMPARISONS: readonly Comparison<StepFigure>[] = (Object.keys(KINDS) as Kind[]).map((kind) => ({
  of: stepName(kind, 100),
  to: stepName(kind, 10),
  figure: 'heapKilobytes',
  target: FLAT_MAX,
}));
