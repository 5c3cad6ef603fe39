import type { Acknowledgement, ErrorBody } from '@runcloud/protocol';
import { newId, type Platform } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { elapsedMs, isoTimestamp, type Timestamp } from '../flow/timestamp.ts';
import type { Ending } from './ending.ts';

/** The fields that every acknowledgement of one session carries. */
export interface SessionIdentity {
  readonly sessionId: string;
  readonly platform: Platform;
}

/** The lease that a request was made on; failures of `open-url` name it. */
export interface LeaseIds {
  readonly device: string;
  readonly leaseId: string;
}

/** The terminal acknowledgement of an accepted request. */
export function acknowledge(
  { sessionId, platform }: SessionIdentity,
  {
    requestId,
    action,
    accepted,
    lease,
  }: { requestId: string; action: string; accepted: Pick<Timestamp, 'wallMs'>; lease?: LeaseIds | undefined },
  ending: Ending,
  durationMs: number,
): Acknowledgement {
  const acknowledgement: Acknowledgement = {
    ok: ending.status === 'completed',
    requestId,
    sessionId,
    platform,
    action,
    status: ending.status,
    acceptedAt: isoTimestamp(accepted.wallMs),
    // The wall clock may be set in between; the difference stays true.
    completedAt: isoTimestamp(accepted.wallMs + durationMs),
    durationMs,
  };
  if (ending.result) acknowledgement.result = ending.result;
  if (ending.status !== 'completed') {
    acknowledgement.error = ending.error;
    if (lease) Object.assign(acknowledgement, lease);
  }
  return acknowledgement;
}

/** The fields of a refused request, as far as they could be read. */
export interface RequestIds extends Partial<LeaseIds> {
  readonly requestId?: string;
  readonly sessionId?: string;
  readonly platform?: Platform;
  readonly action?: string;
}

/** The envelope of a failure that no accepted request stands behind. */
export function refuse(
  { requestId, ...named }: RequestIds,
  error: ErrorBody,
  received: Timestamp,
  clock: Clock,
): Acknowledgement {
  const durationMs = elapsedMs(received, clock);
  return {
    ok: false,
    requestId: requestId ?? newId('req'),
    ...named,
    status: 'failed',
    acceptedAt: isoTimestamp(received.wallMs),
    completedAt: isoTimestamp(received.wallMs + durationMs),
    durationMs,
    error,
  };
}
