import type { Clock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import type { UiLook } from '../ui/ui-frames.ts';
import { movedPart } from './moved-part.ts';
import type { Sight } from './sight.ts';

/** Between two looks. */
export const LOOK_MS = 25;
/** A screen that has not changed for this time stands still; a caret blinks more slowly. */
export const STILL_MS = 100;
/** One that has moved for so long moves by itself. */
const MOVING_MS = 500;

/** The looks at one device's screen. */
export interface Eyes {
  readonly clock: Clock;
  /** Makes the next picture show the screen as it is now, where a device sends pictures only when it likes. */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * The newest picture.
   * @param last the one before, which is given again if nothing has changed; @param spare one that is no longer needed
   */
  picture(signal: AbortSignal, last?: Sight, spare?: Sight): Promise<Sight>;
  /** What is on the screen; absent where the device does not tell, or takes long for it. */
  look(signal: AbortSignal): Promise<UiLook | undefined>;
}

/** The screen as it was before an input. */
export interface Before {
  readonly picture: Sight;
  readonly look: UiLook | undefined;
  /** It changed although no input came. */
  readonly isMoving: boolean;
  readonly atMs: number;
}

/** Looks at a screen until it has stood still for a tenth of a second, at most for half a second. Rejects when aborted. */
export async function lookBefore(eyes: Eyes, signal: AbortSignal): Promise<Before> {
  const { clock } = eyes;
  const startMs = clock.monotonicMs();
  let sinceMs = startMs;
  await eyes.refresh(signal);
  let picture = await eyes.picture(signal);
  let look = await eyes.look(signal);
  for (;;) {
    await sleepUntil(clock.monotonicMs() + LOOK_MS, clock, signal);
    await eyes.refresh(signal);
    const newest = await eyes.picture(signal, picture);
    const hasMoved = movedPart(picture, newest, look, look) !== undefined;
    const nowMs = clock.monotonicMs();
    picture = newest;
    if (hasMoved) {
      sinceMs = nowMs;
      look = await eyes.look(signal);
    }
    const isStill = nowMs - sinceMs >= STILL_MS;
    if (!isStill && nowMs - startMs < MOVING_MS) continue;
    // Read last, so that nothing comes between it and the input.
    look = await eyes.look(signal);
    return { picture, look, isMoving: !isStill, atMs: nowMs };
  }
}
