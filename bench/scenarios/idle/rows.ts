/** Sockets that are held open and say nothing. */
export const SOCKETS = 10_000;
/** Of the service all are spread over so many sessions, since one takes no more than two thousand. */
export const SESSIONS = 8;

/** Who holds the sockets. */
export const SOCKET_ROWS = { service: 'RunCloud control socket', uws: 'uWS socket', ws: 'ws socket' } as const;
export type SocketRow = keyof typeof SOCKET_ROWS;

/** What there is more and more of, on one service. */
export const KINDS = {
  session: 'idle session',
  viewer: 'viewer of a still screen',
  pending: 'pending interaction',
} as const;
export type Kind = keyof typeof KINDS;

export const COUNTS = [1, 10, 100] as const;

export const stepName = (kind: Kind, count: number): string => `${KINDS[kind]}, ${count}`;
