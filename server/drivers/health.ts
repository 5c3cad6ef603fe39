import type { Clock } from '../flow/clock.ts';

/** A device that did not answer is asked again after this share of the interval. */
const AGAIN_SHARE = 0.2;
/** A busy device may miss one. */
const FAILURES_MAX = 2;

/**
 * Asks a device now and then for a sign of life; returns what ends it.
 * @param ask settles with why it is gone, or `undefined` while it is there; rejects when that cannot be told
 * @param onLost told once: of a device that is gone at once, and of one that misses two questions in a row
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
