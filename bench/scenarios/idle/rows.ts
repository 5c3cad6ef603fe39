/** Number of idle sockets. */
export const SOCKETS = 10_000;
/** Number of sessions over which they are distributed, since one accepts at most two thousand sockets. */
export const SESSIONS = 8;

/** The servers of the sockets. */
export const SOCKET_ROWS = { service: 'RunCloud control socket', uws: 'uWS socket', ws: 'ws socket' } as const;
export type SocketRow = keyof typeof SOCKET_ROWS;

/** Kinds of things whose number is increased in steps on one service. */
export const KINDS = {
  session: 'idle session',
  viewer: 'viewer of a still screen',
  pending: 'pending interaction',
} as const;
export type Kind = keyof typeof KINDS;

export const COUNTS = [1, 10, 100] as const;

export const stepName = (kind: Kind, count: number): string => `${KINDS[kind]}, ${count}`;
