import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, unitsOf } from './ios/serve-sim-stand-in.ts';
import type { ScreenWatcher } from './screen-watcher.ts';

/** A stand-in that has encoded nothing for so long has a screen that stands still. */
const STILL_MS = 400;

/** Digests of the slices of pictures in Annex B. */
export const slicesOf = (annexB: Uint8Array): string[] =>
  unitsOf(Buffer.from(annexB))
    .filter((unit) => (unit[0] ?? 0) % 32 < 6)
    .map(digestOf);

/** Waits until a stand-in's screen stands still and a viewer was sent the last picture that it has encoded. */
export async function untilSeen(watcher: ScreenWatcher, made: ReadonlySet<string>): Promise<void> {
  const newest = () => [...made].at(-1);
  for (let before: string | undefined; before === undefined || before !== newest(); ) {
    before = newest();
    await sleep(STILL_MS);
  }
  const last = () => slicesOf(watcher.packets.at(-1)?.payload ?? new Uint8Array()).at(-1);
  await watcher.until('the last picture came', () => last() === newest());
}
