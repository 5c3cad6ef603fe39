import type { LoadMode } from '../../load/job.ts';
import { type RequestRow, rowName } from '../requests/row.ts';

/** The server that answers: the service, a control or a peer. */
export type RestServer = 'RunCloud' | 'uWS route' | 'uWS route, device thread' | 'Fastify' | 'Fastify, device thread';
/** The request: an interaction with a body, or a read without one. */
export type RestCall = 'tap' | 'session';

export interface RestRow extends RequestRow {
  readonly server: RestServer;
  readonly call: RestCall;
}

export const LOADS = { one: '1 connection', wide: '16 connections' } as const;
const CONNECTIONS: Record<keyof typeof LOADS, number> = { one: 1, wide: 16 };
const CALL_TITLE: Record<RestCall, string> = { tap: 'POST tap', session: 'GET session' };
/** In the order of measurement. */
const SERVERS: Readonly<Record<RestCall, readonly RestServer[]>> = {
  tap: ['uWS route', 'uWS route, device thread', 'RunCloud', 'Fastify', 'Fastify, device thread'],
  session: ['uWS route', 'RunCloud', 'Fastify'],
};

export const subjectOf = (server: RestServer, call: RestCall): string => `${server}: ${CALL_TITLE[call]}`;

export const REST_ROWS: readonly RestRow[] = (['one', 'wide'] as const).flatMap((load) =>
  (['tap', 'session'] as const).flatMap((call) =>
    SERVERS[call].map((server) => {
      const mode: LoadMode = { kind: 'closed', connections: CONNECTIONS[load], inFlight: 1 };
      const subject = subjectOf(server, call);
      return { name: rowName(subject, LOADS[load]), subject, load: LOADS[load], mode, server, call };
    }),
  ),
);
