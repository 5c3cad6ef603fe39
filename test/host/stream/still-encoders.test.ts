import { SCREEN_HEADER_BYTES } from '@runcloud/protocol/terms';
import sharp from 'sharp';
import t from 'tap';
import type { Picture } from '../../../server/device/driver.ts';
import { createEncoder } from '../../../server/host/stream/create-encoder.ts';
import { JpegEncoder } from '../../../server/host/stream/jpeg-encoder.ts';
import type { EncodedPicture } from '../../../server/host/stream/picture-encoder.ts';
import { PngEncoder } from '../../../server/host/stream/png-encoder.ts';
import { solidPicture } from '../../support/scripted-device.ts';
import { psnr } from './ffmpeg.ts';
import { JPEG } from './stream-arena.ts';

const PNG = { ...JPEG, encoding: 'png' } as const;

function gradient(width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    pixels.set([((pixel % width) * 255) / width, (Math.floor(pixel / width) * 255) / height, 128], pixel * 4);
  }
  return { ...solidPicture(1, 0), pixels, width, height };
}

async function read({ payload }: EncodedPicture) {
  const { data, info } = await sharp(payload).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}

t.test('JPEG shows the picture, in its own size and a smaller one', async (t) => {
  const picture = gradient(177, 321);
  const whole = await new JpegEncoder(JPEG).encode(picture);
  t.match(whole, { key: true, width: 177, height: 321 });
  t.ok(psnr((await read(whole)).pixels, picture.pixels) > 35);
  const small = await new JpegEncoder({ ...JPEG, maxLongEdge: 160 }).encode(picture);
  t.match(small, { key: true, width: 88, height: 160 });
  const shown = await read(small);
  t.match(shown, { width: 88, height: 160 });
  t.ok(psnr(shown.pixels, gradient(88, 160).pixels) > 30);
});

t.test('JPEG is read from the pixels until it says so, and goes out in memory of its own', async (t) => {
  for (const maxLongEdge of [undefined, 300]) {
    const encoder = new JpegEncoder({ ...JPEG, ...(maxLongEdge === undefined ? {} : { maxLongEdge }) });
    t.teardown(() => encoder.close());
    const picture = gradient(300, 600);
    const encoding = encoder.encode(picture);
    await encoder.reading;
    picture.pixels.fill(0);
    const encoded = await encoding;
    t.equal(encoded.payload.buffer.byteLength, SCREEN_HEADER_BYTES + encoded.payload.byteLength);
    const expected = maxLongEdge === undefined ? gradient(300, 600) : gradient(150, 300);
    t.ok(psnr((await read(encoded)).pixels, expected.pixels) > 30);
  }
});

t.test('a smaller JPEG follows a device that turns, and frees its memory', async (t) => {
  const encoder = new JpegEncoder({ ...JPEG, maxLongEdge: 101 });
  for (const [width, height, small] of [
    [177, 321, { width: 56, height: 101 }],
    [321, 177, { width: 101, height: 56 }],
    [177, 321, { width: 56, height: 101 }],
  ] as const) {
    const encoded = await encoder.encode(gradient(width, height));
    t.match(encoded, small);
    t.ok(psnr((await read(encoded)).pixels, gradient(small.width, small.height).pixels) > 30);
  }
  encoder.close();
  encoder.close();
});

t.test(
  'while a smaller JPEG is made, the thread is free; closed meanwhile, its memory is freed after that',
  async (t) => {
    const encoder = new JpegEncoder({ ...JPEG, maxLongEdge: 700 });
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const encoding = encoder.encode(gradient(590, 1_280));
    encoder.close();
    const encoded = await encoding;
    isOver = true;
    t.ok(turns > 1, `${turns} turns of the event loop`);
    t.ok(psnr((await read(encoded)).pixels, gradient(323, 700).pixels) > 30);
  },
);

t.test('more quality costs more bytes', async (t) => {
  const picture = gradient(300, 300);
  const bytes = async (quality: number) => (await new JpegEncoder({ ...JPEG, quality }).encode(picture)).payload.length;
  const [low, middle, high] = [await bytes(20), await bytes(70), await bytes(100)];
  t.ok(low < middle && middle < high);
});

t.test('PNG is exact, and is made of the pixels as they were at the call', async (t) => {
  const picture = gradient(177, 321);
  const expected = picture.pixels.slice();
  const encoding = new PngEncoder(PNG).encode(picture);
  picture.pixels.fill(0);
  const encoded = await encoding;
  t.match(encoded, { key: true, width: 177, height: 321 });
  t.equal(encoded.payload.buffer.byteLength, SCREEN_HEADER_BYTES + encoded.payload.byteLength);
  t.equal(Buffer.compare((await read(encoded)).pixels, expected), 0);
});

t.test('a smaller PNG keeps the shape', async (t) => {
  const encoded = await new PngEncoder({ ...PNG, maxLongEdge: 160 }).encode(gradient(177, 321));
  t.match(await read(encoded), { width: 88, height: 160 });
});

t.test('each encoding has its encoder', async (t) => {
  for (const encoding of ['h264', 'jpeg', 'png'] as const) {
    const encoder = await createEncoder({ ...JPEG, encoding });
    t.equal(encoder.repeatsCheaply, encoding === 'h264');
    t.ok((await encoder.encode(gradient(64, 96), true, 1)).payload.length > 0);
    encoder.close();
  }
});
