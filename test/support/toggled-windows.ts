import { setTimeout as sleep } from 'node:timers/promises';
import { HastyViewer } from './hasty-viewer.ts';
import type { ScreenStage } from './screen-stage.ts';

/** A viewer stops for up to this long: a picture's time, or long enough for the kernel's megabytes to fill. */
const SHORT_STOP_MS = 30;
const LONG_STOP_MS = 1_500;
const LONG_SHARE = 0.15;
/** Longer than even a busy machine needs to fill the kernel's buffers. */
const FIRST_STOP_MS_MAX = 30_000;

export interface Integrity {
  /** Pictures whose bytes were compared with another viewer's. */
  readonly compared: number;
  readonly different: number;
  readonly faults: readonly string[];
  readonly bytes: number;
  /** The most that waited in the server's memory for one viewer. */
  readonly bufferedBytesMax: number;
}

/**
 * Lets viewers open and close their windows at random while they claim to have read everything, until so many pictures of
 * theirs could be compared with those of a viewer that reads all.
 */
export async function toggleWindows(
  stage: ScreenStage,
  start: Readonly<Record<string, unknown>>,
  { viewers, pictures }: { readonly viewers: number; readonly pictures: number },
): Promise<Integrity> {
  const options = { url: stage.url, path: stage.path, authorization: stage.rest.authorization, start };
  const steady = new HastyViewer({ ...options, hasty: false });
  await steady.until(1);
  const hasty = Array.from({ length: viewers }, () => new HastyViewer({ ...options, hasty: true }));
  let over = false;
  let bufferedBytesMax = 0;
  const toggle = async (viewer: HastyViewer) => {
    const stopUntilMs = performance.now() + FIRST_STOP_MS_MAX;
    await viewer.until(1);
    // All stop until the server has bytes that the kernel does not take, however slow the machine is.
    viewer.pause();
    while (bufferedBytesMax === 0 && performance.now() < stopUntilMs) await sleep(SHORT_STOP_MS);
    viewer.resume();
    while (!over) {
      viewer.pause();
      await sleep(Math.random() * (Math.random() < LONG_SHARE ? LONG_STOP_MS : SHORT_STOP_MS));
      viewer.resume();
      await sleep(Math.random() * SHORT_STOP_MS);
    }
  };
  const look = async () => {
    while (!over) {
      const buffered = (await stage.metrics()).get('runcloud_sockets_buffered_bytes_max') ?? 0;
      bufferedBytesMax = Math.max(bufferedBytesMax, buffered);
      await sleep(20);
    }
  };
  const seen = () => hasty.reduce((sum, { count }) => sum + count, 0);
  const work = Promise.all([look(), ...hasty.map(toggle)]);
  /** Pictures that the steady viewer was sent, too: on a busy machine it does not get all of them. */
  const shared = () => hasty.flatMap(({ pictures }) => [...pictures.keys()]).filter((at) => steady.pictures.has(at));
  const isEnough = () => seen() >= pictures && shared().length > pictures / 3;
  while (!isEnough() && hasty.every(({ faults }) => faults.length === 0)) await sleep(50);
  over = true;
  await work;
  for (const viewer of [steady, ...hasty]) viewer.close();
  let compared = 0;
  let different = 0;
  for (const viewer of hasty) {
    for (const [capturedAtUs, crc] of viewer.pictures) {
      const other = steady.pictures.get(capturedAtUs);
      if (other === undefined) continue;
      compared++;
      if (other !== crc) different++;
    }
  }
  const faults = [steady, ...hasty].flatMap((viewer) => viewer.faults);
  const bytes = hasty.reduce((sum, viewer) => sum + viewer.bytes, 0);
  return { compared, different, faults, bytes, bufferedBytesMax };
}
