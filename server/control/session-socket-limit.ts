import { LIMITS, type Role, ServiceError } from '@runcloud/protocol';
import type { LiveSession } from '../session/live-session.ts';

/** Sockets of the role `view` never take the capacity that is reserved for the role `control`. */
export function hasRoom({ viewers: { control, view } }: Pick<LiveSession, 'viewers'>, role: Role): boolean {
  const { socketsPerSession, socketsForControl } = LIMITS;
  return control + view < socketsPerSession - (role === 'view' ? Math.max(0, socketsForControl - control) : 0);
}

export const noRoom = (): ServiceError =>
  new ServiceError('rate_limited', 'The session has the maximum number of sockets.', { retryAfterSeconds: 5 });
