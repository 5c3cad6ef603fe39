import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { clearOfMinute } from '../processes/clear-of-minute.ts';
import type { PhotonFigures, PhotonOrder, Subject, TapFigures } from './job.ts';

/** Random pause after a tap was seen, so that taps do not synchronise with any rate. */
const PAUSE_MS = { min: 25, more: 25 };
/** Number of taps before the measured ones. */
const WARM_UP = 8;
/** A fade or a late frame after the last tap ends within this time. */
const SETTLE_MS = 300;
/** After so many waits, a screen that does not come to rest is measured as it is. */
const SETTLES_MAX = 20;

/** Taps one place after the other, each after the tap before was seen, then watches the still screen. */
export async function tapAndWatch(subject: Subject, order: PhotonOrder): Promise<PhotonFigures> {
  const taps: TapFigures[] = [];
  let n = 0;
  const tap = async () => {
    const figures = await subject.tap(n++);
    if (!order.hurries) await sleep(PAUSE_MS.min + Math.random() * PAUSE_MS.more);
    return figures;
  };
  while (n < WARM_UP) await tap();
  const untilMs = performance.now() + order.tapMs;
  while (performance.now() < untilMs) taps.push(await tap());
  const stillBytesPerSecond = order.stillMs > 0 ? await watchStill(subject, order.stillMs) : Number.NaN;
  return {
    photonMs: taps.map(({ photonMs }) => photonMs),
    pixelsMs: taps.map(({ pixelsMs }) => pixelsMs),
    captureMs: taps.flatMap(({ captureMs }) => captureMs ?? []),
    pictureBytes: taps.flatMap(({ pictureBytes }) => pictureBytes ?? []),
    stillBytesPerSecond,
    ways: taps.flatMap(({ way }) => way ?? []),
  };
}

async function watchStill(subject: Subject, stillMs: number): Promise<number> {
  await rest(subject);
  await clearOfMinute(stillMs + SETTLE_MS);
  await rest(subject);
  const before = subject.bytes;
  await sleep(stillMs);
  return ((subject.bytes - before) * 1_000) / stillMs;
}

/** Waits until no picture has arrived for a while: on a busy machine the last pictures are late. */
async function rest(subject: Subject): Promise<void> {
  for (let settles = 0; settles < SETTLES_MAX; settles++) {
    const before = subject.bytes;
    await sleep(SETTLE_MS);
    // Data that has arrived by now is delivered only after the timers that are due.
    await immediate();
    if (subject.bytes === before) return;
  }
}

/** Resolves with the promise, or rejects if it takes too long. */
export async function inTime<T>(promise: Promise<T>, what: string, limitMs = 5_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
