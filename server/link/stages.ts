import { channel } from 'node:diagnostics_channel';

/**
 * The stages of an input on its way to the picture that shows it, in their order: `dispatched`, it leaves the gateway; `taken`, the
 * device has taken it, told of taps that need not wait; `captureBegan` and `captured`, of the picture; `encoded`; `handedOver`, the gateway has the encoded picture.
 */
export const STAGES = ['dispatched', 'taken', 'captureBegan', 'captured', 'encoded', 'handedOver'] as const;
export type Stage = (typeof STAGES)[number];

/** A stage that an input, or a picture that shows it, has reached. */
export interface StageReached {
  readonly stage: Stage;
  /** Of the newest input, of which a picture says that it shows it. */
  readonly inputSeq: number;
  /** When it did, on the thread's `performance.now()`, if that is not now. */
  readonly atMs?: number | undefined;
}

/** Where each thread tells it, for programs that are loaded into it (`node:diagnostics_channel`). */
const stages = channel('runcloud.stages');

/** Costs one look at a field where nobody listens. */
export function reached(stage: Stage, inputSeq: number, atMs?: number): void {
  if (stages.hasSubscribers) stages.publish({ stage, inputSeq, atMs } satisfies StageReached);
}
