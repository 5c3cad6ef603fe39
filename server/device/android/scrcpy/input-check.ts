import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../flow/clock.ts';
import { DeviceFault } from '../../fault.ts';
import { type PlayedStep, playGesture, type TouchSurface } from '../../gesture-player.ts';
import type { VideoScreen } from '../../video/video-screen.ts';

/** The home screen comes up within a second. */
const STILL_MS = 400;
const STILL_WITHIN_MS = 5_000;
const EFFECT_MS = 2_000;
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
export async function checkInput(
  screen: Pick<VideoScreen, 'version' | 'newerThan'>,
  panel: TouchSurface,
): Promise<void> {
  const giveUpMs = performance.now() + STILL_WITHIN_MS;
  // A screen that never rests cannot tell of a touch; what moves then is taken for its effect.
  while (performance.now() < giveUpMs && (await screen.newerThan(screen.version, STILL_MS))) await sleep(0);
  for (const steps of PULLS) {
    const { version } = screen;
    await playGesture(panel, steps, { signal: AbortSignal.timeout(EFFECT_MS), clock: systemClock });
    if (await screen.newerThan(version, EFFECT_MS)) return;
  }
  throw new DeviceFault(
    'unavailable',
    `Input does not arrive on the device: a touch was sent, and nothing moved. ${REMEDY}`,
  );
}
