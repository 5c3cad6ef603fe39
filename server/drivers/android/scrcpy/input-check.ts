import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { type PlayedStep, playGesture, type TouchSurface } from '../../gesture-player.ts';
import { type ChangingScreen, movesScreen } from '../../input-effect.ts';

/** The home screen comes up within a second. */
const TIMES = { restsWithinMs: 5_000, effectMs: 2_000 } as const;
const STEP_MS = 30;
const REMEDY = 'Some makers have a developer option for it, such as "USB debugging (Security settings)".';

/** There and back, so that nothing stays of it. */
function pull(points: readonly { readonly x: number; readonly y: number }[]): readonly PlayedStep[] {
  const way = [...points, ...points.toReversed()];
  return way.map((point, index) => ({
    phase: index === 0 ? 'begin' : index === way.length - 1 ? 'end' : 'move',
    points: [point],
    delayMs: index === way.length - 1 ? 0 : STEP_MS,
  }));
}

/** The shade that hangs at the top of every screen, a locked one's too; where a maker has taken it away, the home screen. */
const PULLS = [
  pull([0.001, 0.04, 0.08, 0.12, 0.16].map((y) => ({ x: 0.4, y }))),
  pull([0.7, 0.65, 0.6, 0.55, 0.5, 0.45].map((x) => ({ x, y: 0.45 }))),
];

/**
 * Proves that touches arrive: something on the screen is pulled a little and put back, and has to be seen to move.
 * Rejects with an `unavailable` fault.
 */
export async function checkScrcpyInput(screen: ChangingScreen, panel: TouchSurface): Promise<void> {
  for (const steps of PULLS) {
    const pull = () => playGesture(panel, steps, { signal: AbortSignal.timeout(TIMES.effectMs), clock: systemClock });
    if (await movesScreen(screen, pull, TIMES)) return;
  }
  throw new DeviceFault(
    'unavailable',
    `Input does not arrive on the device: a touch was sent, and nothing moved. ${REMEDY}`,
  );
}
