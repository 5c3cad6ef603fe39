import type { Clock } from '../flow/clock.ts';

/** Fraction of the interval after which a device that did not answer is checked again. */
const AGAIN_SHARE = 0.2;
/** Consecutive missed checks after which a device is lost; a busy device may miss one. */
const FAILURES_MAX = 2;

/**
 * Checks periodically whether a device is alive; returns a function that stops it.
 * @param ask resolves with the reason if the device is gone, with `undefined` if it is alive; rejects if that is unknown
 * @param onLost called once: at once for a device that is gone, or after two missed checks in a row
 */
export function watchHealth(
  ask: () => Promise<string | undefined>,
  onLost: (reason: string) => void,
  clock: Clock,
  intervalMs: number,
): () => void {
  let failures = 0;
  let stopped = false;
  let cancelTimer: () => void = () => undefined;
  const look = async () => {
    let gone: string | undefined;
    try {
      gone = await ask();
      failures = 0;
    } catch (error) {
      if (++failures >= FAILURES_MAX) gone = error instanceof Error ? error.message : String(error);
    }
    if (stopped) return;
    if (gone === undefined) return lookLater(failures > 0 ? intervalMs * AGAIN_SHARE : intervalMs);
    stopped = true;
    onLost(gone);
  };
  const lookLater = (delayMs: number) => {
    cancelTimer = clock.schedule(delayMs, () => void look());
  };
  lookLater(intervalMs);
  return () => {
    stopped = true;
    cancelTimer();
  };
}
