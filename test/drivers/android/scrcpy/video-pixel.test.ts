import t from 'tap';
import { isOfForm, videoPixel } from '../../../../server/drivers/android/scrcpy/video-pixel.ts';

/** As scrcpy's server counts: by a matrix to a share of the video, by another to pixels of the display, then cut off. */
const served = (at: number, video: number, display: number) => Math.trunc(at * (1 / video) * display);

t.test('every pixel of a display is reached through a video that is no smaller', async (t) => {
  for (const [display, video] of [
    [540, 544],
    [1_080, 1_080],
    [1_170, 1_176],
    [1_179, 1_184],
    [412, 416],
  ] as const) {
    const missed = Array.from({ length: display }, (_, pixel) => pixel).filter((pixel) => {
      const { x } = videoPixel({ x: pixel, y: 0 }, { width: display, height: 10 }, { width: video, height: 10 });
      return x >= video || (display === video ? x !== pixel : served(x, video, display) !== pixel);
    });
    t.same(missed, [], `${display} in ${video}`);
  }
});

t.test('through a smaller video the next pixel that there is one for is reached', async (t) => {
  for (const [display, video] of [
    [2_340, 2_336],
    [3_200, 2_560],
    [1_440, 1_152],
  ] as const) {
    for (let pixel = 0; pixel < display; pixel++) {
      const { y } = videoPixel({ x: 0, y: pixel }, { width: 10, height: display }, { width: 10, height: video });
      const off = served(y, video, display) - pixel;
      if (y < 0 || y >= video || Math.abs(off) > Math.ceil(display / video)) t.fail(`${pixel} of ${display}: ${off}`);
    }
    t.pass(`${display} in ${video}`);
  }
});

t.test('rounding keeps the form of a display, and another display has another', async (t) => {
  t.ok(isOfForm({ width: 544, height: 1_200 }, { width: 540, height: 1_200 }));
  t.ok(isOfForm({ width: 1_152, height: 2_560 }, { width: 1_440, height: 3_200 }));
  t.notOk(isOfForm({ width: 1_200, height: 544 }, { width: 540, height: 1_200 }));
  t.notOk(isOfForm({ width: 2_000, height: 2_208 }, { width: 904, height: 2_316 }));
});
