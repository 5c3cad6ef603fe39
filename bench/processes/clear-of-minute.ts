import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;
/** Time from the start of a minute to the picture that shows it. */
const SHOWN_MS = 300;

/** Resolves when the phone's clock, whose change once a minute is a new picture, will not change for this time. */
export async function clearOfMinute(forMs: number): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < forMs + SHOWN_MS) await sleep(leftMs + SHOWN_MS);
}
