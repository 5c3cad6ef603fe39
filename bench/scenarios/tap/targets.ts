import type { Layout } from '../../processes/pin.ts';
import type { Comparison } from '../../report/ratios.ts';
import type { RowFigures } from './figures.ts';
import { LOADS, rowName } from './rows.ts';

export type TapFigure = Exclude<keyof RowFigures, 'name' | 'subject' | 'load'>;
type TapComparison = Comparison<TapFigure>;

/**
 * Limits of a tap relative to the bare parts that carry it, with a core for each side. They assume that the hop to the host
 * thread costs about as much as an echo; on one shared core the bare hop alone costs more than twice that.
 */
export const TARGETS = {
  socketP50: 1.8,
  socketP99: 2.5,
  socketPerSecond: 0.18,
  restP50: 1.8,
  touchP50: 1.3,
  touchPerSecond: 0.5,
  relayTail: 1,
} as const;

function compare(of: string, to: string, load: string, figure: TapFigure, target?: number): TapComparison {
  const names = { of: rowName(of, load), to: rowName(to, load), figure };
  if (target === undefined) return names;
  return { ...names, target, bound: figure === 'perSecond' ? 'at least' : 'at most' };
}

const COMPARISONS: readonly TapComparison[] = [
  compare('thread hop', 'uWS echo', LOADS.one, 'p50Us'),
  compare('control socket', 'uWS echo', LOADS.one, 'p50Us', TARGETS.socketP50),
  compare('control socket', 'uWS echo', LOADS.one, 'p99Us', TARGETS.socketP99),
  compare('control socket', 'ws echo', LOADS.one, 'p50Us'),
  compare('control socket', 'ws echo', LOADS.one, 'p99Us'),
  compare('control socket', 'thread hop', LOADS.one, 'p50Us'),
  compare('control socket', 'thread hop', LOADS.one, 'p99Us'),
  compare('live touch', 'control socket', LOADS.one, 'p50Us', TARGETS.touchP50),
  compare('REST', 'uWS route', LOADS.one, 'p50Us', TARGETS.restP50),
  compare('REST', 'uWS route', LOADS.one, 'p99Us'),
  compare('REST', 'ws echo', LOADS.one, 'p50Us'),
  compare('REST', 'ws echo', LOADS.one, 'p99Us'),
  compare('control socket', 'uWS echo', LOADS.paced, 'p50Us'),
  compare('control socket', 'uWS echo', LOADS.paced, 'p99Us'),
  compare('control socket', 'uWS echo', LOADS.deep, 'perSecond'),
  compare('control socket', 'ws echo', LOADS.deep, 'perSecond'),
  compare('control socket', 'thread hop', LOADS.deep, 'perSecond'),
  compare('control socket', 'ws relay', LOADS.deep, 'p99Us', TARGETS.relayTail),
  compare('control socket', 'ws relay', LOADS.deep, 'p999Us', TARGETS.relayTail),
  compare('control socket', 'ws relay', LOADS.deep, 'perSecond'),
  compare('live touch', 'control socket', LOADS.deep, 'perSecond', TARGETS.touchPerSecond),
  compare('control socket', 'uWS echo', LOADS.crowd, 'perSecond', TARGETS.socketPerSecond),
  compare('grouped hop', 'uWS echo', LOADS.crowd, 'perSecond'),
  compare('control socket', 'grouped hop', LOADS.crowd, 'perSecond'),
  compare('control socket', 'uWS echo', LOADS.thousand, 'perSecond'),
  compare('control socket', 'uWS echo', LOADS.thousand, 'p50Us'),
  compare('REST', 'uWS route', LOADS.wide, 'perSecond'),
  compare('control socket over ws', 'control socket', LOADS.one, 'p50Us'),
  compare('control socket over ws', 'control socket', LOADS.one, 'serverCpuUs'),
  compare('control socket over ws', 'ws echo', LOADS.one, 'p50Us'),
  compare('control socket over ws', 'control socket', LOADS.deep, 'perSecond'),
  compare('control socket over ws', 'control socket', LOADS.crowd, 'perSecond'),
  compare('REST over node:http', 'REST', LOADS.one, 'p50Us'),
  compare('REST over node:http', 'REST', LOADS.one, 'serverCpuUs'),
  compare('REST over node:http', 'REST', LOADS.wide, 'perSecond'),
];

/** The comparisons of a layout; on one core the ratios are only information, without a target. */
export function tapComparisons(layout: Layout): readonly TapComparison[] {
  return layout === 'two-cores' ? COMPARISONS : COMPARISONS.map(({ target: _none, ...names }) => names);
}
