import type { Comparison } from '../../report/ratios.ts';
import type { RowFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type PhotonFigure = Exclude<keyof RowFigures, 'name'>;

/**
 * Maximum latency of a visible tap relative to the browser's own remote control, whose page draws in the GUI thread, and to bare parts that
 * do nothing else; and minimum factor by which VNC takes longer, with its default rate and with a raised one.
 */
export const TARGETS = {
  tilesP50: 0.1,
  jpegP50: 0.1,
  h264P50: 0.25,
  socketP95: 0.4,
  pageP50: 0.5,
  bareP50: 1.8,
  bareP99: 3,
  vncP50: 3,
  vncFastP50: 1,
} as const;

/** Absolute goals of the service, in milliseconds on two idle processors. */
export const PROMISES = [
  { of: ROW_NAMES.jpeg, figure: 'p50Ms', ms: 3.5 },
  { of: ROW_NAMES.h264, figure: 'p50Ms', ms: 7 },
  { of: ROW_NAMES.h264, figure: 'p95Ms', ms: 12 },
] as const;

const beside = (of: keyof typeof ROW_NAMES, figure: PhotonFigure, target: number): Comparison<PhotonFigure> => ({
  of: ROW_NAMES[of],
  to: ROW_NAMES.screencast,
  figure,
  target,
});

function longerThan(to: 'tiles' | 'jpeg', of: 'vnc' | 'vncFast', target: number): Comparison<PhotonFigure> {
  return { of: ROW_NAMES[of], to: ROW_NAMES[to], figure: 'p50Ms', target, bound: 'at least' };
}

const besideBare = (figure: PhotonFigure, target: number): Comparison<PhotonFigure> => ({
  of: ROW_NAMES.tiles,
  to: ROW_NAMES.bare,
  figure,
  target,
});

export const PHOTON_COMPARISONS: readonly Comparison<PhotonFigure>[] = [
  beside('tiles', 'p50Ms', TARGETS.tilesP50),
  besideBare('p50Ms', TARGETS.bareP50),
  besideBare('p99Ms', TARGETS.bareP99),
  longerThan('tiles', 'vnc', TARGETS.vncP50),
  longerThan('tiles', 'vncFast', TARGETS.vncFastP50),
  beside('jpeg', 'p50Ms', TARGETS.jpegP50),
  longerThan('jpeg', 'vnc', TARGETS.vncP50),
  longerThan('jpeg', 'vncFast', TARGETS.vncFastP50),
  beside('jpeg', 'p95Ms', TARGETS.socketP95),
  beside('h264', 'p50Ms', TARGETS.h264P50),
  beside('h264', 'p95Ms', TARGETS.socketP95),
  beside('page', 'p50Ms', TARGETS.pageP50),
  { of: ROW_NAMES.vncFast, to: ROW_NAMES.bare, figure: 'p50Ms' },
  { of: ROW_NAMES.h264, to: ROW_NAMES.jpeg, figure: 'p50Ms' },
];
