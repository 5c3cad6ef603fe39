import { parentPort } from 'node:worker_threads';
import type { BarePicture, BareTap } from './bare-screen-messages.ts';

/** Answers each tap with a picture, in the thread of the bare screen's device and encoder. The first message says that it is ready. */
export function answerTaps(pictureOf: (tap: BareTap) => Uint8Array | Promise<Uint8Array>): void {
  parentPort?.on('message', async (tap: BareTap) => {
    const picture = pictureOf(tap);
    const bytes = new Uint8Array(picture instanceof Promise ? await picture : picture);
    parentPort?.postMessage({ socketId: tap.socketId, bytes } satisfies BarePicture, [bytes.buffer]);
  });
  parentPort?.postMessage({ socketId: 0, bytes: new Uint8Array() } satisfies BarePicture);
}
