import t from 'tap';
import { colour } from '../../../server/phone/draw/colour.ts';
import { blend, fillSpan, mixOpaqueSpan, mixSpan, weight } from '../../../server/phone/draw/surface.ts';
import { seeded } from '../manual-phone.ts';

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

t.test('a premultiplied word never overflows into the next channel, whatever its strength', async (t) => {
  for (let alpha = 0; alpha <= 255; alpha++) {
    const over = Uint32Array.of(((alpha << 24) | (alpha << 16) | (alpha << 8) | alpha) >>> 0);
    for (let strength = 0; strength <= 256; strength++) {
      const words = Uint32Array.of(colour(0xffffff));
      mixSpan(words, over, strength);
      if (!channels(words[0] ?? 0).every((value) => value >= 253)) t.fail('too dark', { alpha, strength, words });
    }
  }
});

t.test('opaque words are blended alike by both ways, over any word', async (t) => {
  const random = seeded(7);
  const anyWords = () => Uint32Array.from({ length: 300 }, () => (random() * 2 ** 32) | 0xff000000);
  const [below, over] = [anyWords(), anyWords()];
  for (let strength = 0; strength <= 256; strength++) {
    const [one, other] = [below.slice(), below.slice()];
    mixSpan(one, over, strength);
    mixOpaqueSpan(other, over, strength);
    t.strictSame(one, other);
    if (strength === 256) t.strictSame(one, over);
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
