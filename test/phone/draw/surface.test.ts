import t from 'tap';
import { colour } from '../../../server/phone/draw/colour.ts';
import { blend, blendOver, fillSpan, weight } from '../../../server/phone/draw/surface.ts';

const channels = (word: number) => [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff, word >>> 24];

t.test('a blend lies between both colours, within one step of the exact value, and is opaque', async (t) => {
  for (const below of [0x000000, 0xffffff, 0x12ab7f]) {
    for (const over of [0x000000, 0xffffff, 0xd00f55]) {
      for (let alpha = 0; alpha <= 255; alpha++) {
        const mixed = channels(blend(colour(below), colour(over), weight(alpha)) >>> 0);
        const exact = [0, 1, 2].map((index) => {
          const from = channels(colour(below))[index] ?? 0;
          const to = channels(colour(over))[index] ?? 0;
          return from + ((to - from) * alpha) / 255;
        });
        const near = exact.every((value, index) => Math.abs(value - (mixed[index] ?? -9)) <= 1.5);
        if (!near || mixed[3] !== 255) t.fail('too far', { below, over, alpha, mixed, exact });
      }
    }
  }
});

t.test('nothing of a colour leaves the pixel, and all of it replaces it', async (t) => {
  t.equal(blend(colour(0x123456), colour(0xfedcba), weight(0)) >>> 0, colour(0x123456));
  t.equal(blend(colour(0x123456), colour(0xfedcba), weight(255)) >>> 0, colour(0xfedcba));
});

t.test('a premultiplied word never overflows into the next channel', async (t) => {
  for (let alpha = 0; alpha <= 255; alpha++) {
    const over = ((alpha << 24) | (alpha << 16) | (alpha << 8) | alpha) >>> 0;
    const mixed = channels(blendOver(colour(0xffffff), over) >>> 0);
    t.ok(mixed.every((value) => value >= 254));
  }
});

t.test('a span fills from its start up to its end', async (t) => {
  for (const length of [0, 3, 100]) {
    const words = new Uint32Array(120);
    fillSpan(words, 10, 10 + length, colour(0xffffff));
    t.equal(words.filter((word) => word === 0xffffffff).length, length);
    t.equal(words[9], 0);
  }
});
