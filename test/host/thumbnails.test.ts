import sharp, { type Sharp } from 'sharp';
import t from 'tap';
import { VirtualDevice } from '../../server/drivers/virtual/virtual-device.ts';
import { CaptureGate } from '../../server/host/capture-gate.ts';
import { Thumbnails } from '../../server/host/thumbnails.ts';
import { ScriptedDevice, solidPicture } from '../support/scripted-device.ts';

t.test('an unchanged picture is encoded once, for callers one after the other and at once', async (t) => {
  const device = new ScriptedDevice();
  const thumbnails = new Thumbnails(new CaptureGate(device), 480);
  const first = await thumbnails.take();
  const more = await Promise.all([thumbnails.take(), thumbnails.take()]);
  t.equal(thumbnails.encodings, 1);
  for (const { jpeg, version } of more) {
    t.equal(Buffer.compare(jpeg, first.jpeg), 0);
    t.not(jpeg.buffer, first.jpeg.buffer, 'each caller may give its bytes away');
    t.equal(version, first.version);
  }
  device.picture = solidPicture(5, 200);
  const changed = await thumbnails.take();
  t.equal(thumbnails.encodings, 2);
  t.not(changed.version, first.version);
});

t.test('it is the whole screen in small, with its longer edge at the bound', async (t) => {
  const device = new VirtualDevice({ platform: 'ios' });
  t.teardown(() => device.close());
  const gate = new CaptureGate(device);
  const { jpeg, width, height } = await new Thumbnails(gate, 768).take();
  t.equal(height, 768);
  const whole = await gate.capture((picture) => ({ ...picture, pixels: picture.pixels.slice() }));
  t.equal(width, Math.round((whole.width / whole.height) * height));
  const raw = { width: whole.width, height: whole.height, channels: 4 } as const;
  const small = async (image: Sharp) => await image.removeAlpha().resize(16, 32, { fit: 'fill' }).raw().toBuffer();
  const [expected, found] = [await small(sharp(whole.pixels, { raw })), await small(sharp(jpeg))];
  const off = expected.reduce((sum, value, index) => sum + Math.abs(value - (found[index] ?? 0)), 0) / expected.length;
  t.ok(off < 6, `${off} of 255 apart in the mean`);
});

t.test('a thumbnail that failed is taken again', async (t) => {
  const device = new ScriptedDevice();
  const thumbnails = new Thumbnails(new CaptureGate(device), 480);
  const capture = device.capture.bind(device);
  device.capture = async () => {
    throw new Error('no picture');
  };
  await t.rejects(thumbnails.take(), { message: 'no picture' });
  device.capture = capture;
  t.ok((await thumbnails.take()).jpeg.length > 0);
});
