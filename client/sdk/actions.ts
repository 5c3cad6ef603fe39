import type { OptionsOf } from '../../protocol/actions/index.ts';
import { withActions } from './action-methods.ts';
import type { InteractionRequest } from './interactions.ts';
import type { Acknowledgement } from './types.ts';

export interface CallOptions {
  /** Ends the wait, with its reason; what was accepted already goes on. */
  readonly signal?: AbortSignal | undefined;
}

export interface ActionOptions extends CallOptions {
  /** Milliseconds from acceptance to the acknowledgement, 100 to 60,000; 15,000 where absent. */
  readonly timeoutMs?: number | undefined;
  /** Correlation id; the same id again never has a second effect. Made up where it is absent. */
  readonly requestId?: string | undefined;
}

export type HeldOptions = ActionOptions & OptionsOf<'pressButton'>;
export type KeyOptions = ActionOptions & OptionsOf<'pressKey'>;
export type ScrollOptions = ActionOptions & OptionsOf<'scroll'>;

/** A session, as far as its actions go. */
export abstract class SessionActions extends withActions<ActionOptions, Promise<Acknowledgement>>() {
  /**
   * Carries out one interaction and resolves once the device took it. Rejects with `TypeError` or `RangeError` for an
   * argument that the contract refuses, before anything is sent; with `RunCloudError` for every other failure.
   */
  abstract interact(request: InteractionRequest, options?: CallOptions): Promise<Acknowledgement>;
}
