import type { Action } from './action-methods.ts';

/** An interaction with the common optional fields (specification, section 2.4). */
export type InteractionRequest = Action & {
  /** Idempotency key: a request with a repeated id is not performed again. Default: a new id. */
  readonly requestId?: string | undefined;
  /** Milliseconds from acceptance to the terminal acknowledgement, 100 to 60,000; default 15,000. */
  readonly timeoutMs?: number | undefined;
};
