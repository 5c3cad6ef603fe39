import sharp from 'sharp';
import t from 'tap';
import { pngFault } from '../../../client/sdk/png.ts';

t.test('a whole PNG passes; one that is cut off at any place, or followed by anything, does not', async (t) => {
  const picture = { width: 7, height: 5, channels: 3, background: 'red' } as const;
  const png = await sharp({ create: picture }).png().toBuffer();
  t.equal(pngFault(png), undefined);
  const passing = Array.from({ length: png.length }, (_, length) => pngFault(png.subarray(0, length))).filter(
    (fault) => fault === undefined,
  );
  t.same(passing, [], 'no shorter one passes');
  t.match(pngFault(Buffer.concat([png, Buffer.from([0])])), /follow/);
  t.match(pngFault(Buffer.from('GIF89a')), /signature/);
  t.match(pngFault(Buffer.concat([png.subarray(0, 8), png.subarray(-12)])), /header/);
  const inside = Buffer.concat([Buffer.alloc(3), png, Buffer.alloc(3)]);
  t.equal(pngFault(inside.subarray(3, -3)), undefined, 'also as a part of a larger buffer');
});
