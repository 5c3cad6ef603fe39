import type { HistoryOrigin, SessionRequest } from '@runcloud/protocol';
import type { Ending } from '../interaction/ending.ts';
import type { PastRequests } from '../interaction/past-requests.ts';

/** What a session has behind it that goes on in another process than the one before. The time in between counts. */
export interface SessionPast {
  /** How long ago it began. */
  readonly startedAgoMs: number;
  /** How long ago it was used last. */
  readonly idleMs: number;
  readonly history: {
    readonly nextSeq: number;
    readonly origins: readonly HistoryOrigin[];
    /** Of its entries, those that the history may not have. */
    readonly endings: readonly { readonly entry: number; readonly ending: Ending; readonly durationMs: number }[];
  };
  readonly requests: PastRequests;
}

/** What else a session is made of, besides its row and its device. */
export interface SessionTerms extends Pick<SessionRequest, 'historyTexts' | 'historyElements'> {
  /** Of a session that goes on. */
  readonly past?: SessionPast;
}
