import { withActions } from '../sdk/action-methods.ts';
import type { Point } from '../sdk/types.ts';
import type { InteractionRequest, InteractionResult } from './messages.ts';

export interface InteractOptions {
  /** Aborts the call: it rejects with the signal's reason. What the device has done is not undone. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the device; this page waits a little longer. */
  readonly timeoutMs?: number;
}

export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** Positions of one or two fingers; every step has the same number. */
  readonly points: readonly Point[];
  readonly delayMs?: number;
}

/** The actions of an embedded simulator. */
export abstract class SimulatorActions extends withActions<InteractOptions, Promise<InteractionResult>>() {
  /** Performs one interaction. A failure is a result; the call rejects only if its signal is aborted. */
  abstract interact(request: InteractionRequest, options?: InteractOptions): Promise<InteractionResult>;

  /** Cancels a pending request; its own result tells how it ended. */
  abstract cancel(requestId: string): void;
}
