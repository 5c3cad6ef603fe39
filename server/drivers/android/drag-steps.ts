import type { Point } from '../../device/driver.ts';
import { type PlayedStep, swipeSteps } from '../gesture-player.ts';

/** Longer than apps look back for the speed of a finger. */
const REST_MS = 150;

/** A swipe whose finger rests before it leaves, so that what it has moved stays where it is. */
export function dragSteps(from: Point, to: Point, durationMs: number): PlayedStep[] {
  const steps = swipeSteps(from, to, durationMs);
  return steps.map((step, index) => (index === steps.length - 2 ? { ...step, delayMs: REST_MS } : step));
}
