import type { Action } from './action-methods.ts';

/** An interaction with what every one may carry (specification, section 2.4). */
export type InteractionRequest = Action & {
  /** Correlation id; the same id again never has a second effect. Made up where it is absent. */
  readonly requestId?: string | undefined;
  /** Milliseconds from acceptance to the terminal acknowledgement, 100 to 60,000; 15,000 where absent. */
  readonly timeoutMs?: number | undefined;
};
