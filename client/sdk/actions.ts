import type { ActionName } from '../../protocol/actions/index.ts';
import type { OptionsOf } from '../../protocol/actions/methods.ts';
import { withActions } from './action-methods.ts';
import type { Completed } from './completed.ts';
import type { Asked } from './interactions.ts';

export interface CallOptions {
  /** Aborts the wait: the call rejects with the signal's reason. An interaction that was accepted goes on. */
  readonly signal?: AbortSignal | undefined;
}

export interface InputOptions extends CallOptions {
  /** Act although somebody else has control of the session, without taking it. Goes over REST. */
  readonly force?: boolean | undefined;
}

/** Options of `openUrl`. */
export interface OpenUrlOptions extends InputOptions {
  /** Your own id of the request: one with a repeated id is not performed again, and is answered as the first one was. */
  readonly requestId?: string | undefined;
}

export interface ActionOptions extends InputOptions {
  /** Milliseconds from acceptance to the acknowledgement, 100 to 60,000; default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Idempotency key: a request with a repeated id is not performed again. Default: a new id. */
  readonly requestId?: string | undefined;
  /** Wait for what it changes on the screen, and answer it as `observed`. Default: answer once the device has taken it. */
  readonly observe?: boolean | undefined;
}

export interface ScreenshotOptions extends Omit<ActionOptions, 'force' | 'observe'> {
  /** Wait until the picture stands still, at most 2 seconds. Default: take it as it is. */
  readonly settled?: boolean | undefined;
}

export type HeldOptions = ActionOptions & OptionsOf<'pressButton'>;
export type KeyOptions = ActionOptions & OptionsOf<'pressKey'>;
export type ScrollOptions = ActionOptions & OptionsOf<'scroll'>;

type Completions = { readonly [Name in ActionName]: Promise<Completed<Name>> };

/** The actions of a session. */
export abstract class SessionActions extends withActions<ActionOptions, Completions>() {
  /**
   * Performs one interaction and resolves once the device has taken it. Rejects with `TypeError` or `RangeError` for an
   * invalid argument, before anything is sent; with `RunCloudError` for every other failure.
   */
  abstract interact<Name extends ActionName>(request: Asked<Name>, options?: InputOptions): Promise<Completed<Name>>;
}
