import { setTimeout as sleep } from 'node:timers/promises';

/** The bars of the system show minutes: waits until none begins within the next `ms`. */
export async function awayFromMinuteEdge(ms = 10_000): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < ms) await sleep(leftMs + 100);
}
