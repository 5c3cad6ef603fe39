import type { Acks } from '@runcloud/protocol';
import type { LoadMode } from '../../load/job.ts';

/** The control servers of this scenario and their files. */
export const CONTROLS = {
  'uWS echo': { file: 'bench/controls/uws-echo.ts', answer: 'message' },
  'ws echo': { file: 'bench/controls/ws-echo.ts', answer: 'message' },
  'ws relay': { file: 'bench/controls/ws-relay.ts', answer: 'message' },
  'thread hop': { file: 'bench/controls/thread-hop.ts', answer: 'message' },
  'grouped hop': { file: 'bench/controls/grouped-hop.ts', answer: 'message' },
  'uWS route': { file: 'bench/controls/uws-route.ts', answer: 'json' },
} as const;
export type ControlName = keyof typeof CONTROLS;

/** The service over each of its socket libraries. */
export const SERVICES = { service: 'uws', 'service over ws': 'ws' } as const;
export type ServiceName = keyof typeof SERVICES;
export const isService = (server: ControlName | ServiceName): server is ServiceName => server in SERVICES;

/** One line of the table: a subject under one kind of load. */
export interface TapRow {
  readonly name: string;
  readonly subject: string;
  /** The server that answers. */
  readonly server: ControlName | ServiceName;
  /** `all` and `final` are taps over a WebSocket, `touch` is a live touch over one, `rest` is a tap over HTTP. */
  readonly via: Acks | 'touch' | 'rest';
  readonly load: string;
  readonly mode: LoadMode;
}

type Subject = Pick<TapRow, 'subject' | 'server' | 'via'>;
const subject = (name: string, server: TapRow['server'], via: TapRow['via']): Subject => ({
  subject: name,
  server,
  via,
});

const SOCKET = subject('control socket', 'service', 'final');
const SOCKET_ALL = subject('control socket, all acks', 'service', 'all');
const TOUCH = subject('live touch', 'service', 'touch');
const REST = subject('REST', 'service', 'rest');
const OVER_WS = subject('control socket over ws', 'service over ws', 'final');
const REST_OVER_WS = subject('REST over node:http', 'service over ws', 'rest');
const UWS_ECHO = subject('uWS echo', 'uWS echo', 'final');
const WS_ECHO = subject('ws echo', 'ws echo', 'final');
const WS_RELAY = subject('ws relay', 'ws relay', 'final');
const HOP = subject('thread hop', 'thread hop', 'final');
const GROUPED_HOP = subject('grouped hop', 'grouped hop', 'final');
const ROUTE = subject('uWS route', 'uWS route', 'rest');

const under = (load: string, mode: LoadMode, subjects: readonly Subject[]): TapRow[] =>
  subjects.map((each) => ({ ...each, name: rowName(each.subject, load), load, mode }));

export const rowName = (subjectName: string, load: string): string => `${subjectName}, ${load}`;

/** Subjects in the order of measurement, each beside its control. */
export const LOADS = {
  one: '1 in flight',
  deep: '64 in flight',
  crowd: '50 × 64 in flight',
  thousand: '1,000 sockets',
  wide: '16 connections',
  paced: '1,000 a second',
} as const;

export const TAP_ROWS: readonly TapRow[] = [
  ...under(LOADS.one, { kind: 'closed', connections: 1, inFlight: 1 }, [
    UWS_ECHO,
    SOCKET,
    SOCKET_ALL,
    TOUCH,
    WS_ECHO,
    OVER_WS,
    HOP,
    ROUTE,
    REST,
    REST_OVER_WS,
  ]),
  ...under(LOADS.paced, { kind: 'open', perSecond: 1_000 }, [UWS_ECHO, SOCKET, HOP]),
  ...under(LOADS.deep, { kind: 'closed', connections: 1, inFlight: 64 }, [
    UWS_ECHO,
    SOCKET,
    WS_RELAY,
    SOCKET_ALL,
    TOUCH,
    WS_ECHO,
    OVER_WS,
    HOP,
  ]),
  ...under(LOADS.crowd, { kind: 'closed', connections: 50, inFlight: 64 }, [UWS_ECHO, SOCKET, OVER_WS, GROUPED_HOP]),
  ...under(LOADS.thousand, { kind: 'closed', connections: 1_000, inFlight: 1 }, [UWS_ECHO, SOCKET]),
  ...under(LOADS.wide, { kind: 'closed', connections: 16, inFlight: 1 }, [ROUTE, REST, REST_OVER_WS]),
];
