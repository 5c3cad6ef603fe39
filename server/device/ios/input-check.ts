import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../flow/clock.ts';
import { DeviceFault } from '../fault.ts';
import { type PlayedStep, playGesture } from '../gesture-player.ts';
import type { SimulatorHelper } from './helper.ts';
import type { SimulatorScreen } from './simulator-screen.ts';
import type { TouchPanel } from './touch-panel.ts';

/** The home screen comes up within a second; a guest that has just booted goes on drawing for some more. */
const STILL_MS = 400;
const STILL_WITHIN_MS = 10_000;
const EFFECT_MS = 3_000;
/** A guest that is busy may take a whole pull between two of its pictures, and show nothing of it. */
const TRIES_MAX = 2;

const STEPS: readonly PlayedStep[] = [
  { phase: 'begin', points: [{ x: 0.7, y: 0.45 }], delayMs: 30 },
  ...[0.65, 0.6, 0.55, 0.5, 0.45].map((x) => ({ phase: 'move' as const, points: [{ x, y: 0.45 }], delayMs: 30 })),
  ...[0.5, 0.55, 0.6, 0.65, 0.7].map((x) => ({ phase: 'move' as const, points: [{ x, y: 0.45 }], delayMs: 30 })),
  { phase: 'end', points: [{ x: 0.7, y: 0.45 }], delayMs: 0 },
];

/**
 * Proves that touches arrive: the home screen is pulled a little to the side and put back, and has to be seen to move.
 * A helper for another version of Xcode takes touches that go nowhere. Rejects with an `unavailable` fault.
 */
export async function checkInput(
  helper: Pick<SimulatorHelper, 'home' | 'taken'>,
  screen: Pick<SimulatorScreen, 'version' | 'newerThan'>,
  panel: TouchPanel,
): Promise<void> {
  helper.home();
  await helper.taken();
  const giveUpMs = performance.now() + STILL_WITHIN_MS;
  // A screen that never rests cannot tell of a touch; what moves then is taken for its effect.
  while (performance.now() < giveUpMs && (await screen.newerThan(screen.version, STILL_MS))) await sleep(0);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const { version } = screen;
    await playGesture(panel, STEPS, { signal: AbortSignal.timeout(EFFECT_MS), clock: systemClock });
    await helper.taken();
    if (await screen.newerThan(version, EFFECT_MS)) return;
  }
  throw new DeviceFault(
    'unavailable',
    'A touch was sent to the simulator and did not move its home screen: its helper does not reach the guest.',
  );
}
