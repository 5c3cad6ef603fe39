import t from 'tap';
import { backOffMs } from '../../client/core/backoff.ts';
import { mirrored, pointIn } from '../../client/viewer/input/points.ts';
import { turned } from '../../client/viewer/input/rotation.ts';
import { refusalSentence, typable } from '../../client/viewer/input/typed-text.ts';
import { encodingsFor } from '../../client/viewer/screen/choose.ts';
import { LatencyMeter } from '../../client/viewer/screen/latency.ts';
import { LeftOut } from '../../client/viewer/screen/left-out.ts';
import { rgbaOf } from '../../client/viewer/screen/yuv.ts';

t.test('the wait before each attempt grows up to a bound, and half of it is chance', (t) => {
  const longest = [0, 1, 2, 3, 20, 1_000].map((attempt) => backOffMs(attempt, () => 1));
  t.same(longest, [250, 500, 1_000, 2_000, 15_000, 15_000]);
  t.equal(
    backOffMs(20, () => 0),
    7_500,
  );
  t.end();
});

t.test('a pointer outside of the screen touches its edge', (t) => {
  const box = { left: 100, top: 50, width: 200, height: 400 };
  t.same(pointIn(box, 200, 150), { x: 0.5, y: 0.25 });
  t.same(pointIn(box, 0, 9_000), { x: 0, y: 1 });
  t.same(mirrored({ x: 0.25, y: 1 }, { x: 0.5, y: 0.5 }), { x: 0.75, y: 0 });
  t.same(mirrored({ x: 0, y: 0 }, { x: 0.75, y: 0.5 }), { x: 1, y: 1 }, 'and so does a mirror image');
  t.end();
});

t.test('a turn goes to the next orientation that the device has', (t) => {
  t.equal(turned('portrait', 'left', ['portrait', 'landscape_left', 'landscape_right']), 'landscape_left');
  t.equal(turned('landscape_left', 'left', ['portrait', 'landscape_left', 'landscape_right']), 'landscape_right');
  t.equal(turned('portrait', 'right', ['portrait', 'landscape_right']), 'landscape_right');
  t.equal(turned('portrait', 'left', ['portrait']), 'portrait');
  t.end();
});

t.test('a pasted text loses what cannot be typed, and says so', (t) => {
  t.same(typable('a\nb\tc'), { text: 'a\nb\tc', refused: [] });
  t.same(typable('“it’s” – 1 …'), { text: '"it\'s" - 1 ...', refused: [] }, 'typographic forms have plain ones');
  t.same(typable('Grüße ü 😀'), { text: 'Gre  ', refused: ['ü', 'ß', '😀'] });
  t.equal(refusalSentence([]), '');
  t.match(refusalSentence(['ü', 'ß']), /cannot type ü ß/);
  t.match(refusalSentence([...'äöüßéèê']), /and 1 more/);
  t.end();
});

t.test('input to photon is from the sending to the first picture that covers it', (t) => {
  const meter = new LatencyMeter();
  meter.sent('a', 100);
  meter.dispatched('a', 5);
  meter.shown(4, 105);
  t.equal(meter.figures(106).inputToPhotonMs, undefined, 'an older picture says nothing');
  meter.shown(5, 112);
  t.equal(meter.figures(113).inputToPhotonMs, 12);
  meter.sent('b', 200);
  meter.shown(6, 207);
  meter.shown(6, 230);
  meter.dispatched('b', 6);
  t.equal(meter.figures(231).inputToPhotonMs, 7, 'also when the picture came before the number');
  meter.sent('c', 300);
  meter.dispatched('c', 7);
  meter.sent('d', 400);
  meter.dispatched('d', 8);
  meter.shown(8, 410);
  t.equal(meter.figures(411).inputToPhotonMs, 10, 'an input that changed nothing does not count');
  meter.sent('e', 1_000);
  meter.dispatched('e', 9);
  meter.shown(9, 9_000);
  t.equal(meter.figures(9_001).inputToPhotonMs, 10, 'nor does a picture that came for another reason');
  t.end();
});

t.test('rates are those of the last second', (t) => {
  const meter = new LatencyMeter();
  for (const at of [0, 100, 900, 1_500]) {
    meter.arrived(1_000, 1, at);
    meter.shown(0, at);
  }
  const { picturesPerSecond, kilobytesPerSecond, picturesShown, picturesLeftOut } = meter.figures(1_600);
  t.same({ picturesPerSecond, kilobytesPerSecond }, { picturesPerSecond: 2, kilobytesPerSecond: 2 });
  t.same({ picturesShown, picturesLeftOut }, { picturesShown: 4, picturesLeftOut: 4 });
  t.equal(meter.figures(3_000).picturesPerSecond, 0);
  t.end();
});

t.test('YUV of full range becomes RGB, without the rest of the last macroblocks', (t) => {
  // 4 × 2 coded, 2 × 2 shown: white, and red (BT.709) behind it.
  const luma = [255, 0, 9, 9, 54, 54, 9, 9];
  t.same([...rgbaOf(Uint8Array.of(...luma, 128, 0, 128, 0), 4, 2, 2, 1)], [255, 255, 255, 255, 0, 0, 0, 255]);
  const red = rgbaOf(Uint8Array.of(54, 54, 54, 54, 99, 255), 2, 2, 1, 1);
  t.ok((red[0] ?? 0) > 250 && (red[1] ?? 9) <= 2 && (red[2] ?? 9) <= 2, `${red}`);
  t.end();
});

t.test('the page asks for what it can show in the order of the server, on a slow link for video first', async (t) => {
  const all = new Set(['webcodecs', 'software', 'tiles', 'image'] as const);
  const offered = ['tiles', 'h264', 'jpeg', 'png'] as const;
  t.same(encodingsFor(all, offered), offered);
  t.same(encodingsFor(all, offered, true), ['h264', 'tiles', 'jpeg', 'png']);
  t.same(encodingsFor(new Set(['image']), offered, true), ['jpeg', 'png']);
  t.same(encodingsFor(new Set(['software', 'image']), ['h264', 'jpeg']), ['h264', 'jpeg'], 'an older server');
});

t.test(
  'a link is slow when many pictures were left out within two seconds, but for those before the first',
  async (t) => {
    const link = new LeftOut();
    t.notOk(link.isTooMuch({ leftOut: 500 }, 0), 'before the page came');
    t.notOk(link.isTooMuch({ leftOut: 20 }, 100));
    t.notOk(link.isTooMuch({ leftOut: 20 }, 2_200), 'the first twenty are long ago');
    t.ok(link.isTooMuch({ leftOut: 11 }, 2_300));
    link.forget();
    t.notOk(link.isTooMuch({ leftOut: 500 }, 2_400));
  },
);
