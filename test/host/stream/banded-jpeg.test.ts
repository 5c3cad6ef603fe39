import jpeg from '@julusian/jpeg-turbo';
import fc from 'fast-check';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import type { Picture, Rect } from '../../../server/device/driver.ts';
import { BandedJpeg } from '../../../server/host/stream/banded-jpeg.ts';
import { type Chroma, FULL_CHROMA, HALVED_CHROMA } from '../../../server/host/stream/chroma.ts';
import { splitJpeg } from '../../../server/host/stream/jpeg-bands.ts';
import { JpegEncoder } from '../../../server/host/stream/jpeg-encoder.ts';
import { solidPicture } from '../../support/scripted-device.ts';
import { JPEG } from './stream-arena.ts';

const QUALITY = 80;

/** Pixels that differ everywhere, so that a band in the wrong place would show. */
function noise(width: number, height: number, seed = 1): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 31 + (at >> 7) * seed * 17) & 255;
  return pixels;
}

/** Encodes the whole picture in one call of the encoder. */
const atOnce = (pixels: Uint8Array, width: number, height: number, subsampling = jpeg.SAMP_420): Buffer =>
  jpeg.compressSync(Buffer.from(pixels), {
    width,
    height,
    format: jpeg.FORMAT_RGBA,
    quality: QUALITY,
    subsampling,
  });

/** By libvips, to which a warning is an error. */
const decode = (image: Uint8Array): Promise<Buffer> => sharp(image, { failOn: 'warning' }).raw().toBuffer();

const sameShown = async (one: Uint8Array, other: Uint8Array): Promise<boolean> =>
  Buffer.compare(await decode(one), await decode(other)) === 0;

for (const [name, chroma] of [
  ['halved', HALVED_CHROMA],
  ['full', FULL_CHROMA],
] as const) {
  t.test(`with ${name} colours`, (t) => bandsAreThePicture(t, chroma));
}

/** Bands decode to the very pixels that the picture gives when it is compressed at once. */
async function bandsAreThePicture(t: Test, chroma: Chroma): Promise<void> {
  for (const [width, height] of [
    [590, 1280],
    [177, 321],
    [64, 160],
    [16, 161],
    [1, 1],
    [33, 320],
    [40, 321],
  ] as const) {
    const pixels = noise(width, height);
    const banded = await new BandedJpeg({ width, height }, QUALITY, chroma).encode(pixels, undefined);
    t.ok(await sameShown(banded, atOnce(pixels, width, height, chroma.subsampling)), `${width}×${height}`);
  }
}

t.test('changed areas are encoded anew, wherever they are, and the rest stays', async (t) => {
  const [width, height] = [80, 720];
  const rect = fc.record({
    x: fc.integer({ min: 0, max: width - 1 }),
    y: fc.integer({ min: 0, max: height - 1 }),
    width: fc.integer({ min: 1, max: width }),
    height: fc.integer({ min: 1, max: height }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(rect, { maxLength: 3 }), { maxLength: 5 }), async (steps) => {
      const jpegs = new BandedJpeg({ width, height }, QUALITY, HALVED_CHROMA);
      const pixels = noise(width, height);
      await jpegs.encode(pixels, undefined);
      for (const [step, rects] of steps.entries()) {
        for (const changed of rects) paint(pixels, width, height, changed, step);
        const banded = await jpegs.encode(pixels, rects);
        if (!(await sameShown(banded, atOnce(pixels, width, height)))) return false;
      }
      return true;
    }),
    { numRuns: 25 },
  );
  t.pass();
});

function paint(pixels: Uint8Array, width: number, height: number, rect: Rect, step: number): void {
  for (let y = rect.y; y < Math.min(height, rect.y + rect.height); y++) {
    for (let x = rect.x; x < Math.min(width, rect.x + rect.width); x++) {
      pixels.set([step * 40, x, y & 255, 255], (y * width + x) * 4);
    }
  }
}

t.test('only the bands of what changed are compressed', async (t) => {
  const [width, height] = [64, 640];
  const jpegs = new BandedJpeg({ width, height }, QUALITY, HALVED_CHROMA);
  const before = noise(width, height);
  await jpegs.encode(before, undefined);
  // Nobody is told of most of these pixels: the picture has only the band of those that it is told of.
  const after = noise(width, height, 5);
  const shown = await decode(await jpegs.encode(after, [{ x: 3, y: 200, width: 2, height: 2 }]));
  const [old, fresh] = [await decode(atOnce(before, width, height)), await decode(atOnce(after, width, height))];
  const rowBytes = width * 3;
  const rows = (image: Buffer, from: number, to: number) => image.subarray(from * rowBytes, to * rowBytes);
  // A decoder blends the colours of neighbouring rows, and with them those of two bands.
  t.equal(Buffer.compare(rows(shown, 0, 159), rows(old, 0, 159)), 0);
  t.equal(Buffer.compare(rows(shown, 161, 319), rows(fresh, 161, 319)), 0);
  t.equal(Buffer.compare(rows(shown, 321, 640), rows(old, 321, 640)), 0);
});

t.test('an encoder whose pictures went elsewhere in between loses nothing', async (t) => {
  const [width, height] = [96, 300];
  const encoder = new JpegEncoder({ ...JPEG, quality: QUALITY });
  const picture = (version: number, damage: readonly Rect[]): Picture => ({
    ...solidPicture(version, 0),
    width,
    height,
    pixels: noise(width, height, version),
    damage,
  });
  const nothing: readonly Rect[] = [];
  for (const [version, damage] of [
    [1, nothing],
    // Another reader took the picture between.
    [3, nothing],
    [4, [{ x: 0, y: 0, width, height }]],
    [4, nothing],
  ] as const) {
    const shown = picture(version, damage);
    const { payload } = await encoder.encode(shown);
    t.ok(await sameShown(payload, atOnce(shown.pixels, width, height)), `version ${version}`);
  }
  const turned = { ...picture(5, nothing), width: height, height: width };
  const { payload } = await encoder.encode(turned);
  t.ok(await sameShown(payload, atOnce(turned.pixels, height, width)), 'another size begins anew');
});

t.test('bytes that are no JPEG are refused', (t) => {
  for (const bytes of [[], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], [0xff, 0xd8, 1, 2, 0, 2]]) {
    t.throws(() => splitJpeg(Uint8Array.from(bytes)), { message: /no JPEG/ });
  }
  t.end();
});
