import { setTimeout as sleep } from 'node:timers/promises';
import type { PhotonFigures, PhotonOrder, Subject, TapFigures } from './job.ts';

/** Between a tap that was seen and the next one: by chance, so that taps do not fall into step with any rate. */
const PAUSE_MS = { min: 25, more: 25 };
/** Taps before the measured ones. */
const WARM_UP = 8;
/** What a picture may still do after the last tap: a fade, a late frame. */
const SETTLE_MS = 300;
const MINUTE_MS = 60_000;

/** Taps one place after the other, each when the one before was seen, then watches the still screen. */
export async function tapAndWatch(subject: Subject, order: PhotonOrder): Promise<PhotonFigures> {
  const taps: TapFigures[] = [];
  let n = 0;
  const tap = async () => {
    const figures = await subject.tap(n++);
    await sleep(PAUSE_MS.min + Math.random() * PAUSE_MS.more);
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
  };
}

async function watchStill(subject: Subject, stillMs: number): Promise<number> {
  await sleep(SETTLE_MS);
  await clearOfMinute(stillMs);
  const before = subject.bytes;
  await sleep(stillMs);
  return ((subject.bytes - before) * 1_000) / stillMs;
}

/** The phone's clock changes once a minute, which is a change like any other. */
async function clearOfMinute(forMs: number): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < forMs + SETTLE_MS) await sleep(leftMs + SETTLE_MS);
}

/** The promise, or an error when it takes too long. */
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
