import type { Point, PointerPhase } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { Clock } from '../flow/clock.ts';
import { sleepUntil } from '../flow/sleep.ts';

/** Where fingers land: the part of a device that gestures are played on. */
export interface TouchSurface {
  touch(phase: PointerPhase, points: readonly Point[]): void;
}

export interface PlayedStep {
  readonly phase: 'begin' | 'move' | 'end';
  readonly points: readonly Point[];
  /** Milliseconds to wait before the next step. */
  readonly delayMs: number;
}

/** A drag is played at the rate of a display. */
const MOVE_INTERVAL_MS = 1_000 / 60;

/** A straight drag from one point to another, at an even speed. */
export function swipeSteps(from: Point, to: Point, durationMs: number): PlayedStep[] {
  const moves = Math.max(1, Math.round(durationMs / MOVE_INTERVAL_MS));
  const delayMs = durationMs / moves;
  const at = (share: number): Point => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
  return [
    { phase: 'begin', points: [from], delayMs },
    ...Array.from({ length: moves }, (_, index) => ({
      phase: 'move' as const,
      points: [at((index + 1) / moves)],
      delayMs: index + 1 < moves ? delayMs : 0,
    })),
    { phase: 'end', points: [to], delayMs: 0 },
  ];
}

export interface PlayOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onStep?: (steps: number) => void;
  /** Settles when the device has the fingers. Times count from then: what comes late at first would be shorter than asked for. */
  readonly taken?: () => Promise<void>;
}

/**
 * Plays steps at their times, counted from the first one, so that late timers do not add up.
 * When `signal` fires the fingers are lifted before it rejects with an `aborted` fault that counts the steps done.
 */
export async function playGesture(
  surface: TouchSurface,
  steps: readonly PlayedStep[],
  { signal, onStep, clock, taken }: PlayOptions,
): Promise<number> {
  let dueMs = clock.monotonicMs();
  let done = 0;
  try {
    for (const { phase, points, delayMs } of steps) {
      signal.throwIfAborted();
      surface.touch(phase, points);
      done++;
      if (taken && done === 1) {
        await taken();
        dueMs = clock.monotonicMs();
      }
      onStep?.(done);
      dueMs += delayMs;
      if (delayMs > 0) await sleepUntil(dueMs, clock, signal);
    }
    return done;
  } catch (error) {
    if (done > 0 && done < steps.length) surface.touch('cancel', []);
    if (signal.aborted) throw new DeviceFault('aborted', 'The gesture was ended before its last step.', done);
    throw error;
  }
}
