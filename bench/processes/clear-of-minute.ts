import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;
/** From the minute to the picture that shows it. */
const SHOWN_MS = 300;

/** Resolves at the beginning of so long a time without the phone's clock: it changes once a minute, as a picture does. */
export async function clearOfMinute(forMs: number): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < forMs + SHOWN_MS) await sleep(leftMs + SHOWN_MS);
}
