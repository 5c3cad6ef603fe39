import fc from 'fast-check';
import t from 'tap';
import { changedBands } from '../../../server/drivers/android/changed-bands.ts';

t.test('equal pictures have no difference, and a pixel that differs lies in the only band', async (t) => {
  const [width, height] = [50, 100];
  const before = Buffer.alloc(width * height * 4, 7);
  t.same(changedBands(before, Buffer.from(before), width, height), []);
  for (const [x, y, band] of [
    [0, 0, { y: 0, height: 32 }],
    [49, 31, { y: 0, height: 32 }],
    [0, 32, { y: 32, height: 32 }],
    [49, 99, { y: 96, height: 4 }],
  ] as const) {
    const after = Buffer.from(before);
    after[(y * width + x) * 4 + 3] = 8;
    t.same(changedBands(before, after, width, height), [{ x: 0, width, ...band }], `${x}, ${y}`);
  }
});

t.test('every row that differs is covered, no band touches another, and equal bands are left out', async () => {
  const rows = fc.uniqueArray(fc.integer({ min: 0, max: 199 }), { maxLength: 12 });
  fc.assert(
    fc.property(rows, (changed) => {
      const before = new Uint8Array(3 * 200 * 4);
      const after = Uint8Array.from(before);
      for (const y of changed) after[(y * 3 + 1) * 4] = 1;
      const bands = changedBands(before, after, 3, 200);
      const covered = (y: number) => bands.some((band) => y >= band.y && y < band.y + band.height);
      if (!changed.every(covered)) throw new Error('a row is missing');
      for (const [index, { y, height }] of bands.entries()) {
        if (y + height > 200 || y + height >= (bands[index + 1]?.y ?? Number.POSITIVE_INFINITY))
          throw new Error('touch');
        for (let at = y; at < y + height; at += 32) {
          if (!changed.some((row) => row >= at && row < at + 32)) throw new Error('an equal band is told');
        }
      }
    }),
  );
});
