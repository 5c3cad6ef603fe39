import { ACTION_LIMITS } from '../action-limits.ts';
import type { Controls } from '../platforms.ts';
import type { Lack } from './action.ts';
import { milliseconds } from './define-action.ts';

/** How long a key or a button is held. */
export const HoldMs = milliseconds(ACTION_LIMITS.holdDurationMs, 'Milliseconds from pressing to releasing');

/** A hold of the default length is as short as the device makes it. */
export function holdLack(action: string, durationMs: number, can: Controls): Lack | undefined {
  if (can.holds || durationMs === ACTION_LIMITS.holdDurationMs.default) return undefined;
  return { what: `"${action}" with a "durationMs" is` };
}
