import { DeviceFault } from '../../device/fault.ts';
import { systemClock } from '../../flow/clock.ts';
import { type PlayedStep, playGesture } from '../gesture-player.ts';
import { type ChangingScreen, movesScreen } from '../input-effect.ts';
import type { SimulatorHelper } from './helper.ts';
import type { SimulatorTouchState } from './simulator-touch-state.ts';

/** The home screen comes up within a second; a guest that has just booted goes on drawing for some more. */
const TIMES = { restsWithinMs: 10_000, effectMs: 3_000 } as const;
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
export async function checkSimulatorInput(
  helper: Pick<SimulatorHelper, 'home' | 'taken'>,
  screen: ChangingScreen,
  panel: SimulatorTouchState,
): Promise<void> {
  helper.home();
  await helper.taken();
  const pull = async () => {
    await playGesture(panel, STEPS, { signal: AbortSignal.timeout(TIMES.effectMs), clock: systemClock });
    await helper.taken();
  };
  for (let tries = 0; tries < TRIES_MAX; tries++) if (await movesScreen(screen, pull, TIMES)) return;
  throw new DeviceFault(
    'unavailable',
    'A touch was sent to the simulator and did not move its home screen: its helper does not reach the guest.',
  );
}
