import type { Principal } from '../account/authenticator.ts';
import type { LiveSession } from '../session/live-session.ts';

/** The number of a caller of REST in the session's history. */
export function originOf({ interactions }: LiveSession, { kind, keyId: id, token }: Principal): number {
  if (!token) return interactions.origin({ kind: kind ?? 'key', id, transport: 'rest' });
  return interactions.origin(
    token.linkId === undefined ? { kind: 'session', transport: 'rest' } : { kind: 'link', id, transport: 'rest' },
  );
}
