import type { ActionName } from '../../protocol/actions/index.ts';
import { withActions } from '../sdk/action-methods.ts';
import type { Asked } from '../sdk/interactions.ts';
import type { Point } from '../sdk/types.ts';
import type { ClipboardResult, InteractionResult } from './messages.ts';

export interface InteractOptions {
  /** Aborts the call: it rejects with the signal's reason. What the device has done is not undone. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the device; this page waits a little longer. */
  readonly timeoutMs?: number;
}

/** The clipboard has no timeout of its own: the service's holds. */
export type ClipboardOptions = Pick<InteractOptions, 'signal'>;

export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** Positions of one or two fingers; every step has the same number. */
  readonly points: readonly Point[];
  readonly delayMs?: number;
}

type Results = { readonly [Name in ActionName]: Promise<InteractionResult<Name>> };

/** The actions of an embedded simulator. */
export abstract class SimulatorActions extends withActions<InteractOptions, Results>() {
  /** Performs one interaction. A failure is a result; the call rejects only if its signal is aborted. */
  abstract interact<Name extends ActionName>(
    request: Asked<Name>,
    options?: InteractOptions,
  ): Promise<InteractionResult<Name>>;

  /**
   * Reads the text in the device's clipboard, once all earlier calls have ended. A failure is a result; the call rejects only if
   * its signal is aborted.
   */
  abstract getClipboard(options?: ClipboardOptions): Promise<ClipboardResult>;

  /** Writes a text of 0 to 10,000 Unicode characters to the device's clipboard; the result is what it then holds. */
  abstract setClipboard(text: string, options?: ClipboardOptions): Promise<ClipboardResult>;

  /** Cancels a pending request; its own result tells how it ended. */
  abstract cancel(requestId: string): void;
}
