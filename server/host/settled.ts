import type { Clock } from '../flow/clock.ts';
import type { CaptureGate } from './capture-gate.ts';

/** How often the picture is looked at. */
const LOOK_MS = 50;
/** A picture that has not changed for this time stands still; a caret blinks more slowly. */
const STILL_MS = 250;
/** One that goes on moving is taken as it is then. */
const MOVING_MS_MAX = 2_000;

/** Waits until the picture stands still, at most 2 seconds. Rejects if it cannot be captured. */
export async function settled(gate: CaptureGate, clock: Clock): Promise<void> {
  const versionNow = () => gate.capture(({ version }) => version);
  const startedMs = clock.monotonicMs();
  let [version, sinceMs] = [await versionNow(), startedMs];
  for (;;) {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= STILL_MS || nowMs - startedMs >= MOVING_MS_MAX) return;
    await new Promise<void>((resolve) => clock.schedule(LOOK_MS, resolve));
    const newest = await versionNow();
    if (newest !== version) [version, sinceMs] = [newest, clock.monotonicMs()];
  }
}
