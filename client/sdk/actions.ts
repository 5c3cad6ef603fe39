import type { OptionsOf } from '../../protocol/actions/index.ts';
import { withActions } from './action-methods.ts';
import type { InteractionRequest } from './interactions.ts';
import type { Acknowledgement } from './types.ts';

export interface CallOptions {
  /** Aborts the wait: the call rejects with the signal's reason. An interaction that was accepted goes on. */
  readonly signal?: AbortSignal | undefined;
}

export interface ActionOptions extends CallOptions {
  /** Milliseconds from acceptance to the acknowledgement, 100 to 60,000; default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Idempotency key: a request with a repeated id is not performed again. Default: a new id. */
  readonly requestId?: string | undefined;
}

export type HeldOptions = ActionOptions & OptionsOf<'pressButton'>;
export type KeyOptions = ActionOptions & OptionsOf<'pressKey'>;
export type ScrollOptions = ActionOptions & OptionsOf<'scroll'>;

/** The actions of a session. */
export abstract class SessionActions extends withActions<ActionOptions, Promise<Acknowledgement>>() {
  /**
   * Performs one interaction and resolves once the device has taken it. Rejects with `TypeError` or `RangeError` for an
   * invalid argument, before anything is sent; with `RunCloudError` for every other failure.
   */
  abstract interact(request: InteractionRequest, options?: CallOptions): Promise<Acknowledgement>;
}
