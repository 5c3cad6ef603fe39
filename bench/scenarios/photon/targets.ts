import type { Comparison } from '../../report/ratios.ts';
import type { RowFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type PhotonFigure = Exclude<keyof RowFigures, 'name'>;

/**
 * Maximum latency of a visible tap relative to the browser's own remote control, whose page draws in the GUI thread, and to bare parts that
 * do nothing else; and minimum factor by which VNC takes longer, with its default rate and with a raised one.
 */
export const TARGETS = {
  tilesP50: 0.05,
  jpegP50: 0.1,
  h264P50: 0.25,
  socketP95: 0.4,
  pageP50: 0.5,
  bareP50: 1.8,
  bareP99: 3,
  vncP50: { tiles: 6, jpeg: 3 },
  vncFastP50: { tiles: 1.5, jpeg: 1 },
  vncFastP99: 1,
} as const;

/** The row of bare parts under each row beside others. */
export const FLOOR_OF = { tiles: 'bare', jpeg: 'bareJpeg', h264: 'bareVideo', page: 'barePage' } as const;

type PromisedFigure = 'p50Ms' | 'p95Ms' | 'p99Ms';

interface Promised {
  readonly of: keyof typeof FLOOR_OF;
  readonly ms: Partial<Readonly<Record<PromisedFigure, number>>>;
}

/** Absolute goals of the service, in milliseconds on two idle processors. */
export const PROMISES: readonly Promised[] = [
  { of: 'tiles', ms: { p50Ms: 1.2, p95Ms: 2, p99Ms: 3 } },
  { of: 'jpeg', ms: { p50Ms: 3.5 } },
  { of: 'h264', ms: { p50Ms: 2.5, p95Ms: 4, p99Ms: 6 } },
  { of: 'page', ms: { p50Ms: 3.5, p95Ms: 6 } },
];

type PhotonComparison = Comparison<PhotonFigure>;

const beside = (of: keyof typeof FLOOR_OF, figure: PhotonFigure, target: number): PhotonComparison => ({
  of: ROW_NAMES[of],
  to: ROW_NAMES.screencast,
  figure,
  target,
  bare: { of: ROW_NAMES[FLOOR_OF[of]], to: ROW_NAMES.screencast },
});

function longerThan(
  to: 'tiles' | 'jpeg',
  of: 'vnc' | 'vncFast',
  target: number,
  figure: PhotonFigure = 'p50Ms',
): PhotonComparison {
  const bare = { of: ROW_NAMES[of], to: ROW_NAMES[FLOOR_OF[to]] };
  return { of: ROW_NAMES[of], to: ROW_NAMES[to], figure, target, bound: 'at least', bare };
}

const besideBare = (figure: PhotonFigure, target: number): PhotonComparison => ({
  of: ROW_NAMES.tiles,
  to: ROW_NAMES.bare,
  figure,
  target,
});

export const PHOTON_COMPARISONS: readonly PhotonComparison[] = [
  beside('tiles', 'p50Ms', TARGETS.tilesP50),
  besideBare('p50Ms', TARGETS.bareP50),
  besideBare('p99Ms', TARGETS.bareP99),
  longerThan('tiles', 'vnc', TARGETS.vncP50.tiles),
  longerThan('tiles', 'vncFast', TARGETS.vncFastP50.tiles),
  longerThan('tiles', 'vncFast', TARGETS.vncFastP99, 'p99Ms'),
  beside('jpeg', 'p50Ms', TARGETS.jpegP50),
  longerThan('jpeg', 'vnc', TARGETS.vncP50.jpeg),
  longerThan('jpeg', 'vncFast', TARGETS.vncFastP50.jpeg),
  beside('jpeg', 'p95Ms', TARGETS.socketP95),
  beside('h264', 'p50Ms', TARGETS.h264P50),
  beside('h264', 'p95Ms', TARGETS.socketP95),
  beside('page', 'p50Ms', TARGETS.pageP50),
  { of: ROW_NAMES.h264, to: ROW_NAMES.bareVideo, figure: 'p50Ms' },
  { of: ROW_NAMES.page, to: ROW_NAMES.barePage, figure: 'p50Ms' },
  { of: ROW_NAMES.h264, to: ROW_NAMES.jpeg, figure: 'p50Ms' },
];
