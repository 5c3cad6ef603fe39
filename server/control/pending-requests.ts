import { LIMITS } from '@runcloud/protocol/terms';
import type { Request } from '../interaction/request.ts';
import { peekMessage } from '../wire/message-peek.ts';
import type { Ready } from './ready.ts';

export type PendingRequest = NonNullable<Ready['pending']>[number];

/**
 * What a client may still wait for whose connection cannot be resumed.
 *
 * @param queued requests of the session's queue
 * @param answering ids of requests beside it
 * @param missed encoded messages that the client misses, as far as they are kept
 */
export function pendingRequests(
  queued: readonly Request[],
  answering: Iterable<string>,
  missed: Iterable<Uint8Array>,
): PendingRequest[] {
  const pending: PendingRequest[] = [];
  for (const bytes of missed) {
    const { type, requestId } = peekMessage(bytes);
    if (type === 'result' && requestId !== undefined) pending.push({ requestId, state: 'ended' });
  }
  for (const requestId of answering) pending.push({ requestId, state: 'running' });
  for (const { requestId, state } of queued) pending.push({ requestId, state });
  return pending.slice(-LIMITS.pendingListed);
}
