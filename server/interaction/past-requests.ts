import { errorBody } from '@runcloud/protocol/terms';
import type { EndedRequest } from './ended-requests.ts';
import type { Ending } from './ending.ts';

/** A request that a process before this one had accepted. */
export interface PastRequest extends EndedRequest {
  /** How long ago it ended. */
  readonly endedAgoMs: number;
}

/** What a session has behind it that goes on in another process than the one before. */
export interface PastRequests {
  /** In the order of their ends; those that had none come last, with the ending `UNKNOWN`. */
  readonly ended: readonly PastRequest[];
  /** No input had a higher number. */
  readonly inputSeq: number;
}

export const NO_PAST_REQUESTS: PastRequests = { ended: [], inputSeq: 0 };

/** The end of what was accepted by a process that was killed before it had told an end. */
export const UNKNOWN: Ending = {
  status: 'failed',
  error: errorBody(
    'host_lost',
    'The service was killed after it had accepted this and before it had an outcome: what it did is not known.',
  ),
};
