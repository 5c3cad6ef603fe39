import t from 'tap';
import { h264Eye, hasMark, jpegEye } from '../../../bench/photon/eyes.ts';
import { placeOf } from '../../../bench/photon/places.ts';
import type { Picture } from '../../../server/device/driver.ts';
import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import { JpegEncoder } from '../../../server/host/stream/jpeg-encoder.ts';
import { solidPicture } from '../../support/scripted-device.ts';

const SIZE = { width: 200, height: 400 };

/** A dark screen with a pink mark at a place, or without. */
function screen(version: number, mark?: { readonly x: number; readonly y: number }): Picture {
  const { width, height } = SIZE;
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) pixels.set([16, 19, 28, 255], at);
  for (let row = -10; mark && row <= 10; row++) {
    for (let column = -10; column <= 10; column++) {
      const at = (Math.floor(mark.y * height) + row) * width + Math.floor(mark.x * width) + column;
      pixels.set([255, 111, 181, 255], at * 4);
    }
  }
  return { ...solidPicture(version, 0), ...SIZE, pixels, damage: [{ x: 0, y: 0, ...SIZE }] };
}

t.test('an eye sees a mark where it is, and only there, in each encoding', async (t) => {
  const profile = { quality: 80, maxFps: 60 } as const;
  for (const { encoder, eye } of [
    { encoder: new H264Encoder({ ...profile, encoding: 'h264' }), eye: h264Eye() },
    { encoder: new JpegEncoder({ ...profile, encoding: 'jpeg' }), eye: jpegEye() },
  ]) {
    t.teardown(() => [encoder.close(), eye.close()]);
    for (let n = 0; n < 6; n++) {
      const [before, after] = [
        await encoder.encode(screen(n * 2), false, n * 2_000 + 1),
        await encoder.encode(screen(n * 2 + 1, placeOf(n)), false, n * 2_000 + 1_001),
      ];
      t.notOk(hasMark(eye.see(before.payload), placeOf(n)));
      const seen = eye.see(after.payload);
      t.match(seen, SIZE);
      t.ok(hasMark(seen, placeOf(n)));
      t.notOk(hasMark(seen, placeOf(n + 1)));
    }
  }
});

t.test('bytes that are no picture are an error, never a picture', async (t) => {
  for (const eye of [h264Eye(), jpegEye()]) {
    t.throws(() => eye.see(Uint8Array.of(0, 0, 0, 1, 9, 9, 9, 9)));
    eye.close();
  }
});

t.test('neighbouring taps lie apart, so that no mark is taken for the one before', (t) => {
  for (let n = 0; n < 30; n++) {
    const place = placeOf(n);
    for (const other of [placeOf(n + 1), placeOf(n + 2)]) {
      t.ok(Math.hypot(place.x - other.x, place.y - other.y) > 0.06, `${n}`);
    }
  }
  t.end();
});
