import {
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import t from 'tap';
import type { Rect } from '../../../server/device/driver.ts';
import { convertRect, type YuvPlanes } from '../../../server/host/stream/rgba-to-yuv.ts';

const WIDTH = 118;
const HEIGHT = 76;

function planes(): YuvPlanes {
  const [lumaStride, chromaStride] = [128, 64];
  return {
    width: WIDTH,
    height: HEIGHT,
    y: new Uint8Array(lumaStride * HEIGHT),
    u: new Uint8Array((chromaStride * HEIGHT) / 2),
    v: new Uint8Array((chromaStride * HEIGHT) / 2),
    lumaStride,
    chromaStride,
  };
}

/** The same chance at each run: a multiplicative generator. */
function noise(seed: number): Uint32Array {
  let state = seed;
  return Uint32Array.from({ length: WIDTH * HEIGHT }, () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return (0xff000000 | (state >>> 8)) >>> 0;
  });
}

const same = (one: YuvPlanes, other: YuvPlanes): boolean =>
  (['y', 'u', 'v'] as const).every((plane) => Buffer.compare(one[plane], other[plane]) === 0);

const whole: Rect = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

t.test('a conversion in parts equals the conversion of the whole picture', (t) => {
  const words = noise(1);
  const atOnce = planes();
  convertRect(words, WIDTH, atOnce, whole);
  const inParts = planes();
  convertRect(noise(2), WIDTH, inParts, whole);
  t.notOk(same(inParts, atOnce));
  for (let y = 0; y < HEIGHT; y += 13) {
    for (let x = 0; x < WIDTH; x += 17) convertRect(words, WIDTH, inParts, { x, y, width: 17, height: 13 });
  }
  t.ok(same(inParts, atOnce));
  t.end();
});

t.test('only the rectangle is written, grown to even edges', (t) => {
  const target = planes();
  convertRect(new Uint32Array(WIDTH * HEIGHT).fill(0xffffffff), WIDTH, target, { x: 3, y: 5, width: 2, height: 1 });
  const lit = (plane: Uint8Array, stride: number) =>
    [...plane].flatMap((value, at) => (value === 0 ? [] : [`${at % stride},${Math.floor(at / stride)}`]));
  t.strictSame(lit(target.y, 128), ['2,4', '3,4', '4,4', '5,4', '2,5', '3,5', '4,5', '5,5']);
  t.strictSame(lit(target.u, 64), ['1,2', '2,2']);
  t.strictSame(lit(target.v, 64), ['1,2', '2,2']);
  t.end();
});

t.test('a rectangle that leaves the picture is cut off at its edge', (t) => {
  const target = planes();
  const words = noise(3);
  convertRect(words, WIDTH, target, { x: -4, y: -4, width: WIDTH + 20, height: HEIGHT + 20 });
  const expected = planes();
  convertRect(words, WIDTH, expected, whole);
  t.ok(same(target, expected));
  t.end();
});

t.test('black, white, grey and the pure colours are those of BT.709, full range', (t) => {
  for (const [word, expected] of [
    [0xff000000, [0, 128, 128]],
    [0xffffffff, [255, 128, 128]],
    [0xff808080, [128, 128, 128]],
    [0xff0000ff, [54, 98, 255]],
    [0xff00ff00, [182, 29, 12]],
    [0xffff0000, [18, 255, 116]],
  ] as const) {
    const target = planes();
    convertRect(new Uint32Array(WIDTH * HEIGHT).fill(word), WIDTH, target, whole);
    const got = [target.y[0] ?? 0, target.u[0] ?? 0, target.v[0] ?? 0];
    for (const [at, value] of expected.entries()) t.ok(Math.abs((got[at] ?? 0) - value) <= 1, `${got} for ${expected}`);
  }
  t.end();
});

t.test('it gives what the scaler gives for a whole picture, to one step of brightness', (t) => {
  const words = noise(4);
  const ours = planes();
  convertRect(words, WIDTH, ours, whole);
  const [rgba, yuv, scaler] = [frame(AV_PIX_FMT_RGBA), frame(AV_PIX_FMT_YUV420P), new SoftwareScaleContext()];
  t.teardown(() => [rgba.free(), yuv.free(), scaler.freeContext()]);
  yuv.colorSpace = AVCOL_SPC_BT709;
  yuv.getBuffer(0);
  rgba.fromBuffer(Buffer.from(words.buffer));
  scaler.allocContext();
  scaler.setOption('sws_flags', 'area');
  t.ok(scaler.scaleFrameSync(yuv, rgba) >= 0);
  const [y, u, v] = yuv.data ?? [];
  const [lumaStride = 0, chromaStride = 0] = yuv.linesize;
  let different = 0;
  let worst = 0;
  const compare = (one: number | undefined, other: number | undefined) => {
    const distance = Math.abs((one ?? 0) - (other ?? 0));
    different += distance > 0 ? 1 : 0;
    worst = Math.max(worst, distance);
  };
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      compare(ours.y[row * ours.lumaStride + column], y?.[row * lumaStride + column]);
      const at = (row >> 1) * chromaStride + (column >> 1);
      const ownAt = (row >> 1) * ours.chromaStride + (column >> 1);
      compare(ours.u[ownAt], u?.[at]);
      compare(ours.v[ownAt], v?.[at]);
    }
  }
  t.ok(worst <= 1 && different < WIDTH * HEIGHT * 3 * 0.1, `${different} samples differ, by ${worst} at most`);
  t.end();
});

function frame(format: typeof AV_PIX_FMT_RGBA | typeof AV_PIX_FMT_YUV420P): Frame {
  const made = new Frame();
  made.alloc();
  made.format = format;
  made.width = WIDTH;
  made.height = HEIGHT;
  made.colorRange = AVCOL_RANGE_JPEG;
  made.colorPrimaries = AVCOL_PRI_BT709;
  made.colorTrc = AVCOL_TRC_BT709;
  return made;
}
