import type { Layout } from '../../processes/pin.ts';
import type { Comparison } from '../../report/ratios.ts';
import type { RequestFigure } from '../requests/report.ts';
import { type RequestRow, rowName } from '../requests/row.ts';

export type FleetService = 'service alone' | 'edge and host';
export type FleetServer = 'NATS echo' | FleetService;

export interface FleetRow extends RequestRow {
  readonly server: FleetServer;
}

const SERVERS: readonly FleetServer[] = ['NATS echo', 'service alone', 'edge and host'];
export const LOADS = { one: '1 in flight', deep: '64 in flight' } as const;

export const FLEET_ROWS: readonly FleetRow[] = (['one', 'deep'] as const).flatMap((load) =>
  SERVERS.map((server) => ({
    name: rowName(server, LOADS[load]),
    subject: server,
    load: LOADS[load],
    mode: { kind: 'closed', connections: 1, inFlight: load === 'one' ? 1 : 64 },
    server,
  })),
);

/** Maximum latency of an acknowledgement relative to a bare NATS request and its reply of the same bytes. */
export const TARGETS = { p50: 1.8, p99: 2.5 } as const;

type FleetComparison = Comparison<RequestFigure>;

const compare = (to: FleetServer, load: keyof typeof LOADS, figure: RequestFigure): FleetComparison => ({
  of: rowName('edge and host', LOADS[load]),
  to: rowName(to, LOADS[load]),
  figure,
});

/** Goals hold where the servers have a core of their own. */
export function fleetComparisons(layout: Layout): readonly FleetComparison[] {
  const goal = (comparison: FleetComparison, target: number) =>
    layout === 'two-cores' ? { ...comparison, target } : comparison;
  return [
    goal(compare('NATS echo', 'one', 'p50Us'), TARGETS.p50),
    goal(compare('NATS echo', 'one', 'p99Us'), TARGETS.p99),
    compare('NATS echo', 'deep', 'p50Us'),
    compare('NATS echo', 'deep', 'perSecond'),
    compare('service alone', 'one', 'p50Us'),
    compare('service alone', 'one', 'p99Us'),
    compare('service alone', 'deep', 'perSecond'),
  ];
}
