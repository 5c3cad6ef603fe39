import { CONTROL_SUBPROTOCOL, LIMITS, ROUTES } from '@runcloud/protocol';

/**
 * Bytes of a message: twice our own limits, so that a message above our limit still gets its close code. A library has a limit
 * for all sockets of a server or a route, so there are two of them.
 */
export const PAYLOAD_BYTES_MAX = { brief: LIMITS.viewMessageBytes * 2, long: LIMITS.clientMessageBytes * 2 } as const;
export type Kind = keyof typeof PAYLOAD_BYTES_MAX;

/** Above our own limit, which closes the socket with its code before messages are dropped. */
export const BACKPRESSURE_BYTES_MAX = LIMITS.unsentBytes * 4;

/** The path of control sockets, with `{names}`, and the one sub-protocol that is spoken. */
export const CONTROL_PATH = ROUTES.control.path;
export const SUBPROTOCOL = CONTROL_SUBPROTOCOL;
