/** WebSocket close codes of the control socket (RFC 6455, section 7.4; 4000 to 4999 are the application's own). */

export interface CloseReason {
  readonly code: number;
  readonly reason: string;
  /** Whether the same client may connect again without changing anything. */
  readonly reconnect: boolean;
}

export const CLOSE = {
  normal: { code: 1000, reason: 'closed by the client', reconnect: false },
  draining: { code: 1001, reason: 'server is draining', reconnect: true },
  text: { code: 1003, reason: 'messages are binary', reconnect: false },
  undecodable: { code: 1007, reason: 'message cannot be decoded', reconnect: false },
  policy: { code: 1008, reason: 'too many refused messages', reconnect: false },
  tooLarge: { code: 1009, reason: 'message is too large', reconnect: false },
  fault: { code: 1011, reason: 'server fault', reconnect: true },
  revoked: { code: 4401, reason: 'key revoked or token expired', reconnect: false },
  ended: { code: 4404, reason: 'session ended', reconnect: false },
  notReading: { code: 4408, reason: 'client does not read', reconnect: true },
  moved: { code: 4409, reason: 'connection goes on over another socket', reconnect: true },
} as const satisfies Record<string, CloseReason>;

/** Of a socket that was lost without a close frame (RFC 6455, section 7.1.5). */
export const LOST_CODE = 1006;

/** Whether a connection whose client closed its socket with this code can be resumed: only a client that wants to says so. */
export const isResumable = (code: number): boolean => code === LOST_CODE || code === CLOSE.moved.code;
