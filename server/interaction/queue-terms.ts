import { LIMITS } from '@runcloud/protocol/terms';

/** How many interactions of each bearer may wait in the queue of a session. */
export const QUEUE_TERMS = {
  things: 'waiting interactions',
  total: LIMITS.queuedInteractions,
  forKeys: LIMITS.queuedInteractionsForKeys,
  perLink: LIMITS.queuedInteractionsPerLink,
  kept: { sessionLink: LIMITS.queuedInteractionsKeptPerLink, viewerLink: LIMITS.queuedInteractionsKeptPerLink },
  rate: { perSecond: LIMITS.interactionsPerSecond, things: 'interactions' },
  retryAfterSeconds: 1,
} as const;

/** How many requests of each bearer may stand beside the queue. */
export const ASIDE_TERMS = {
  things: 'waits',
  total: LIMITS.uiWaits,
  forKeys: LIMITS.uiWaitsForKeys,
  perLink: LIMITS.uiWaitsPerLink,
  kept: { sessionLink: LIMITS.uiWaitsKeptForSessionLink, viewerLink: 0 },
  retryAfterSeconds: 1,
} as const;
