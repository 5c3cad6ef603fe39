import { readTiles } from '@runcloud/protocol/terms';
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import type { Picture, Rect } from '../../../server/device/driver.ts';
import { FULL_CHROMA } from '../../../server/host/stream/chroma.ts';
import { JpegEncoder } from '../../../server/host/stream/jpeg-encoder.ts';
import { planTiles } from '../../../server/host/stream/plan-tiles.ts';
import { TilesEncoder } from '../../../server/host/stream/tiles-encoder.ts';
import { solidPicture } from '../../support/scripted-device.ts';
import { Canvas } from '../../support/tile-canvas.ts';
import { H264 } from './stream-arena.ts';

const TILES = { ...H264, encoding: 'tiles' } as const;

/** Colours that differ from pixel to pixel, so that a seam would show. */
function noise(width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % 4 === 3 ? 255 : (at * 31 + (at >> 7) * 17) & 255;
  return pixels;
}

function paint(pixels: Uint8Array, size: { width: number; height: number }, rect: Rect, seed: number): void {
  for (let y = rect.y; y < Math.min(size.height, rect.y + rect.height); y++) {
    for (let x = rect.x; x < Math.min(size.width, rect.x + rect.width); x++) {
      pixels.set([(seed * 40 + x) & 255, (x * seed) & 255, (y * 7) & 255, 255], (y * size.width + x) * 4);
    }
  }
}

/** The picture as an encoder of the whole shows it, decoded by libvips. */
async function shownWhole(picture: Picture, maxLongEdge?: number): Promise<Buffer> {
  const profile = { ...TILES, encoding: 'jpeg', ...(maxLongEdge === undefined ? {} : { maxLongEdge }) } as const;
  const encoder = new JpegEncoder(profile, FULL_CHROMA);
  const { payload } = await encoder.encode(picture);
  encoder.close();
  return sharp(payload, { failOn: 'warning' }).raw().toBuffer();
}

for (const maxLongEdge of [undefined, 96, 61]) {
  t.test(`tiles show what a JPEG of the whole shows, seams included; longest edge ${maxLongEdge}`, async (t) => {
    const sizes = fc.record({ width: fc.integer({ min: 1, max: 330 }), height: fc.integer({ min: 1, max: 480 }) });
    const rect = fc.record({
      x: fc.integer({ min: 0, max: 329 }),
      y: fc.integer({ min: 0, max: 479 }),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
    });
    let deltas = 0;
    const property = fc.asyncProperty(
      sizes,
      fc.array(fc.array(rect, { maxLength: 4 }), { maxLength: 6 }),
      async (size, steps) => {
        const encoder = new TilesEncoder({ ...TILES, ...(maxLongEdge === undefined ? {} : { maxLongEdge }) });
        const canvas = new Canvas();
        const pixels = noise(size.width, size.height);
        for (const [step, damage] of [[], ...steps].entries()) {
          for (const each of damage) paint(pixels, size, each, step);
          const picture: Picture = { ...solidPicture(step + 1, 0), ...size, pixels, damage };
          const encoded = await encoder.encode(picture, false);
          await encoder.reading;
          if (step === 0 && !encoded.key) return false;
          if (!encoded.key) deltas++;
          await canvas.draw(encoded, encoded.payload);
          if (Buffer.compare(canvas.pixels, await shownWhole(picture, maxLongEdge)) !== 0) return false;
        }
        encoder.close();
        return true;
      },
    );
    await fc.assert(property, { numRuns: 100 });
    t.ok(deltas > 20, `${deltas} pictures were not encoded as a whole`);
  });
}

t.test(
  'a small change is a small packet, none is an empty one, and a key picture is one tile of the whole',
  async (t) => {
    const size = { width: 590, height: 1_280 };
    const encoder = new TilesEncoder(TILES);
    const pixels = noise(size.width, size.height);
    const picture = (version: number, damage: readonly Rect[]): Picture => ({
      ...solidPicture(version, 0),
      ...size,
      pixels,
      damage,
    });
    const first = await encoder.encode(picture(1, []), false);
    t.same(
      readTiles(first.payload)?.map(({ image: _, ...head }) => head),
      [{ x: 0, y: 0, ...size }],
    );
    const small = await encoder.encode(picture(2, [{ x: 100, y: 200, width: 30, height: 30 }]), false);
    t.equal(small.key, false);
    t.ok(
      small.payload.byteLength * 50 < first.payload.byteLength,
      `${small.payload.byteLength} of ${first.payload.byteLength}`,
    );
    const same = await encoder.encode(picture(2, []), false);
    t.match(same, { key: false, payload: { byteLength: 0 } });
    t.equal((await encoder.encode(picture(2, []), true)).key, true, 'a key picture of a still screen');
    const gap = await encoder.encode(picture(4, [{ x: 0, y: 0, width: 1, height: 1 }]), false);
    t.equal(gap.key, true, 'what changed in a picture that it has not seen is not known');
    const most = await encoder.encode(picture(5, [{ x: 0, y: 60, width: 590, height: 1_000 }]), false);
    t.equal(most.key, true, 'a change of most of the screen');
    const turned = { ...picture(6, []), width: 1_280, height: 590 };
    t.match(await encoder.encode(turned, false), { key: true, width: 1_280, height: 590 });
    encoder.close();
  },
);

t.test('areas that lie near each other share a tile, and many areas are left to the whole', async (t) => {
  const size = { width: 600, height: 1_200 };
  const mark = (x: number, y: number): Rect => ({ x, y, width: 10, height: 10 });
  t.equal(planTiles([mark(100, 100), mark(115, 100)], size)?.length, 1);
  t.equal(planTiles([mark(100, 100), mark(400, 900)], size)?.length, 2);
  t.same(planTiles([], size), []);
  t.same(planTiles([{ x: 50, y: 50, width: 0, height: 10 }], size), [], 'an empty area');
  t.same(planTiles([mark(700, 50)], size), [], 'one outside');
  const grid = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      x: (index % 10) * 120,
      y: Math.floor(index / 10) * 120,
      width: 30,
      height: 30,
    }));
  const large = { width: 1_200, height: 2_400 };
  t.equal(planTiles(grid(60), large)?.length, 60);
  t.equal(planTiles(grid(80), large), undefined);
});

t.test('what libjpeg-turbo is given ends where the area ends', async (t) => {
  const size = { width: 70, height: 50 };
  const encoder = new TilesEncoder(TILES);
  const pixels = noise(size.width, size.height);
  const at = (version: number, damage: readonly Rect[]): Picture => ({
    ...solidPicture(version, 0),
    ...size,
    pixels,
    damage,
  });
  await encoder.encode(at(1, []), false);
  const { payload } = await encoder.encode(at(2, [{ x: 69, y: 49, width: 1, height: 1 }]), false);
  const [tile] = readTiles(payload) ?? [];
  t.match(tile, { x: 64, y: 48, width: 6, height: 2 });
  t.match(await sharp(tile?.image).metadata(), { width: 6, height: 2 });
});
