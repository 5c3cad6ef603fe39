import { withActions } from '../sdk/action-methods.ts';
import type { Point } from '../sdk/types.ts';
import type { InteractionRequest, InteractionResult } from './messages.ts';

export interface InteractOptions {
  /** Ends the wait, with its reason; what the device did already cannot be undone. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the device; this page waits a little longer. */
  readonly timeoutMs?: number;
}

export interface GestureStep {
  readonly phase: 'begin' | 'move' | 'end';
  /** One or two fingers, as many in each step. */
  readonly points: readonly Point[];
  readonly delayMs?: number;
}

/** A simulator on a page, as far as its actions go. */
export abstract class SimulatorActions extends withActions<InteractOptions, Promise<InteractionResult>>() {
  /** Carries out one interaction. Rejects only for the signal's sake: a failure is a result. */
  abstract interact(request: InteractionRequest, options?: InteractOptions): Promise<InteractionResult>;

  /** Ends a request that runs, as far as it can be ended; its own result tells. */
  abstract cancel(requestId: string): void;
}
