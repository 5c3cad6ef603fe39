import sharp from 'sharp';
import t from 'tap';
import type { Picture } from '../../server/device/driver.ts';
import { VirtualDevice } from '../../server/drivers/virtual/virtual-device.ts';
import { CaptureGate } from '../../server/host/capture-gate.ts';
import { encodePng } from '../../server/host/png.ts';
import { Screenshots } from '../../server/host/screenshots.ts';
import { ScriptedDevice, solidPicture } from '../support/scripted-device.ts';

/** Three bytes a pixel, as a reader of the file sees them. */
const pixelsOf = (png: Uint8Array) => sharp(png).raw().toBuffer({ resolveWithObject: true });

/** The picture's own pixels without their alpha. */
function opaque({ pixels }: Picture): Buffer {
  const rgb = Buffer.alloc((pixels.length / 4) * 3);
  for (let pixel = 0; pixel * 4 < pixels.length; pixel++) {
    rgb.set(pixels.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  }
  return rgb;
}

function noisyPicture(width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < pixels.length; index++) pixels[index] = index % 4 === 3 ? 255 : (index * 7919) % 251;
  return { ...solidPicture(1, 0), pixels, width, height };
}

t.test('the pixels of the file are those of the picture, byte for byte', async (t) => {
  for (const [width, height] of [
    [1, 1],
    [3, 5],
    [590, 1280],
  ] as const) {
    const picture = noisyPicture(width, height);
    const { data, info } = await pixelsOf(await encodePng(picture));
    t.match(info, { width, height, channels: 3 });
    t.equal(Buffer.compare(data, opaque(picture)), 0);
  }
});

t.test('pictures encoded at once do not share their memory', async (t) => {
  const pictures = [noisyPicture(64, 48), { ...noisyPicture(64, 48), pixels: new Uint8Array(64 * 48 * 4).fill(9) }];
  const files = await Promise.all(pictures.map((picture) => encodePng(picture)));
  for (const [index, picture] of pictures.entries()) {
    const { data } = await pixelsOf(files[index] ?? new Uint8Array());
    t.equal(Buffer.compare(data, opaque(picture)), 0);
  }
});

t.test('pixels that begin anywhere in their memory are read from where they begin', async (t) => {
  const picture = noisyPicture(5, 2);
  const shifted = new Uint8Array(picture.pixels.length + 1);
  shifted.set(picture.pixels, 1);
  const { data } = await pixelsOf(await encodePng({ ...picture, pixels: shifted.subarray(1) }));
  t.equal(Buffer.compare(data, opaque(picture)), 0);
});

t.test('pixels that are not as many as their size says are refused', async (t) => {
  const picture = noisyPicture(5, 2);
  await t.rejects(encodePng({ ...picture, height: 3 }), { message: /40 bytes are no 5 × 3 pixels/ });
});

t.test('an unchanged picture is encoded once, for callers one after the other and at once', async (t) => {
  const device = new ScriptedDevice();
  const screenshots = new Screenshots(new CaptureGate(device));
  const first = await screenshots.take();
  const more = await Promise.all([screenshots.take(), screenshots.take(), screenshots.take()]);
  t.equal(screenshots.encodings, 1);
  for (const { png } of more) {
    t.equal(Buffer.compare(png, first.png), 0);
    t.not(png.buffer, first.png.buffer, 'each caller may give its bytes away');
  }
});

t.test('a changed picture is encoded anew and says which input it shows', async (t) => {
  const device = new ScriptedDevice();
  const screenshots = new Screenshots(new CaptureGate(device));
  const before = await screenshots.take();
  device.picture = solidPicture(5, 200);
  const after = await screenshots.take();
  t.equal(screenshots.encodings, 2);
  t.strictSame([before.inputSeq, after.inputSeq], [0, 5]);
  t.equal((await pixelsOf(after.png)).data[0], 200);
});

t.test('a picture that changes while callers wait is shown to each as it was', async (t) => {
  const device = new ScriptedDevice();
  const screenshots = new Screenshots(new CaptureGate(device));
  // As a device does it: one piece of memory, drawn over at each capture.
  const memory = solidPicture(0, 0).pixels;
  let version = 0;
  device.capture = async () => {
    version++;
    memory.fill(version * 10);
    return { ...solidPicture(version, 0), pixels: memory };
  };
  const taken = await Promise.all([screenshots.take(), screenshots.take(), screenshots.take()]);
  for (const [index, { png, inputSeq }] of taken.entries()) {
    t.equal(inputSeq, index + 1);
    t.equal((await pixelsOf(png)).data[0], (index + 1) * 10);
  }
});

t.test('a device that turns between two callers leaves the first one its own picture', async (t) => {
  const device = new VirtualDevice({ platform: 'ios' });
  t.teardown(() => device.close());
  const screenshots = new Screenshots(new CaptureGate(device));
  const expected = opaque(await device.capture());
  const request = { action: 'rotate', orientation: 'landscape_left', requestId: 'r', timeoutMs: 15_000 } as const;
  const before = screenshots.take();
  const turned = device.perform(request, { inputSeq: 1, signal: new AbortController().signal });
  const after = screenshots.take();
  await turned;
  const { data, info } = await pixelsOf((await before).png);
  t.match(info, { width: 590, height: 1280 });
  t.equal(Buffer.compare(data, expected), 0);
  t.match(await after, { width: 1280, height: 590 });
});

t.test('a failed capture fails its caller only, and the next one tries again', async (t) => {
  const device = new ScriptedDevice();
  const screenshots = new Screenshots(new CaptureGate(device));
  const { capture } = device;
  device.capture = async () => {
    throw new Error('no signal');
  };
  await t.rejects(screenshots.take(), { message: 'no signal' });
  device.capture = capture;
  await t.resolves(screenshots.take());
});

t.test('a failed encoding is not kept for the next caller', async (t) => {
  const device = new ScriptedDevice();
  const screenshots = new Screenshots(new CaptureGate(device));
  const { picture } = device;
  device.picture = { ...picture, width: 999 };
  await t.rejects(screenshots.take());
  device.picture = picture;
  await t.resolves(screenshots.take());
});
