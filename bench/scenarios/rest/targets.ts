import type { Layout } from '../../processes/pin.ts';
import type { Comparison } from '../../report/ratios.ts';
import type { RequestFigure } from '../requests/report.ts';
import { rowName } from '../requests/row.ts';
import { LOADS, type RestCall, type RestServer, subjectOf } from './rows.ts';

/** Maximum latency of a tap relative to a bare route of the same library, and minimum throughput relative to Fastify. */
export const TARGETS = { tapP50: 1.8, tapPerSecond: 2 } as const;

type RestComparison = Comparison<RequestFigure>;

function compare(call: RestCall, to: RestServer, load: keyof typeof LOADS, figure: RequestFigure): RestComparison {
  return {
    of: rowName(subjectOf('RunCloud', call), LOADS[load]),
    to: rowName(subjectOf(to, call), LOADS[load]),
    figure,
  };
}

/** The same of a bare route that hands the tap to a thread: its library and the hop alone. */
const bareTap = (
  of: RestServer,
  to: RestServer,
  load: keyof typeof LOADS,
): { readonly of: string; readonly to: string } => ({
  of: rowName(subjectOf(of, 'tap'), LOADS[load]),
  to: rowName(subjectOf(to, 'tap'), LOADS[load]),
});

const COMPARISONS: readonly RestComparison[] = [
  {
    ...compare('tap', 'uWS route', 'one', 'p50Us'),
    target: TARGETS.tapP50,
    bare: bareTap('uWS route, device thread', 'uWS route', 'one'),
  },
  compare('tap', 'uWS route', 'one', 'p99Us'),
  compare('tap', 'Fastify', 'one', 'p50Us'),
  compare('tap', 'Fastify, device thread', 'one', 'p50Us'),
  // Without a device it does less work than the service.
  compare('tap', 'Fastify', 'wide', 'perSecond'),
  {
    ...compare('tap', 'Fastify, device thread', 'wide', 'perSecond'),
    target: TARGETS.tapPerSecond,
    bound: 'at least',
    bare: bareTap('uWS route, device thread', 'Fastify, device thread', 'wide'),
  },
  compare('tap', 'uWS route', 'wide', 'perSecond'),
  compare('session', 'uWS route', 'one', 'p50Us'),
  compare('session', 'Fastify', 'one', 'p50Us'),
  compare('session', 'uWS route', 'wide', 'perSecond'),
  compare('session', 'Fastify', 'wide', 'perSecond'),
];

/**
 * The comparisons of a layout. On one core the ratios are only information: there, the hop to the host thread costs more than
 * a whole route.
 *
 * @param peers whether Fastify is installed
 */
export function restComparisons(layout: Layout, peers: boolean): readonly RestComparison[] {
  const found = COMPARISONS.filter(({ to }) => peers || !to.startsWith('Fastify'));
  return layout === 'two-cores' ? found : found.map(({ target: _none, ...rest }) => rest);
}
