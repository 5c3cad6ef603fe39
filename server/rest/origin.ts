import type { Principal } from '../account/authenticator.ts';
import type { LiveSession } from '../session/live-session.ts';

/** The number of a caller of REST in the session's history. */
export const originOf = ({ interactions }: LiveSession, { kind, keyId: id }: Principal): number =>
  interactions.origin({ kind: kind ?? 'key', id, transport: 'rest' });
