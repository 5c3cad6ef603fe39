import type { RgbPicture } from '../../test-card/read-card.ts';
import { decodePicture } from '../picture.ts';
import { NotSeen, type Subject } from '../subject.ts';

const LONG_EDGE_MAX = 8_192;

/** Watches the stream until a picture fits; resolves with it. */
export async function watch(
  subject: Subject,
  what: string,
  withinMs: number,
  fits: (picture: RgbPicture, arrivedMs: number) => boolean | Promise<boolean>,
): Promise<RgbPicture> {
  const late = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([late, subject.ground.signal]);
  const stream = subject.control.screen({ encodings: ['jpeg'], maxLongEdge: LONG_EDGE_MAX, quality: 90, signal });
  let pictures = 0;
  try {
    for await (const { payload, unchanged } of stream) {
      if (unchanged || payload.length === 0) continue;
      const arrivedMs = performance.now();
      pictures++;
      const picture = await decodePicture(payload);
      if (await fits(picture, arrivedMs)) return picture;
    }
  } catch (error) {
    if (!late.aborted) throw error;
  }
  subject.ground.signal.throwIfAborted();
  throw new NotSeen(`${what}: not in the ${pictures} pictures that were streamed within ${withinMs} ms`);
}
