import fc from 'fast-check';
import t from 'tap';
import { convertInSlices } from '../../../server/host/stream/convert-in-slices.ts';
import { convertRect, type YuvPlanes } from '../../../server/host/stream/rgba-to-yuv.ts';

const [WIDTH, HEIGHT] = [590, 400];

const planes = (): YuvPlanes => ({
  width: WIDTH,
  height: HEIGHT,
  y: new Uint8Array(WIDTH * HEIGHT),
  u: new Uint8Array((WIDTH * HEIGHT) / 4),
  v: new Uint8Array((WIDTH * HEIGHT) / 4),
  lumaStride: WIDTH,
  chromaStride: WIDTH / 2,
});

const words = Uint32Array.from({ length: WIDTH * HEIGHT }, (_, at) => Math.imul(at, 2_654_435_761) >>> 0);

t.test('rectangles give what they give at once, odd ones and those that leave the picture too', async (t) => {
  const rect = fc.record({
    x: fc.integer({ min: 0, max: WIDTH - 1 }),
    y: fc.integer({ min: 0, max: HEIGHT - 1 }),
    width: fc.integer({ min: 1, max: WIDTH }),
    height: fc.integer({ min: 1, max: HEIGHT }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(rect, { maxLength: 4 }), async (rects) => {
      const [inTurns, atOnce] = [planes(), planes()];
      await convertInSlices(words, WIDTH, inTurns, rects);
      for (const each of rects) convertRect(words, WIDTH, atOnce, each);
      return (['y', 'u', 'v'] as const).every((plane) => Buffer.compare(inTurns[plane], atOnce[plane]) === 0);
    }),
    { numRuns: 30 },
  );
  t.pass();
});

t.test('a small rectangle is converted before the call returns', (t) => {
  const target = planes();
  void convertInSlices(words, WIDTH, target, [{ x: 8, y: 8, width: 20, height: 20 }]);
  t.ok(target.y.some((value) => value > 0));
  t.end();
});

t.test('much is converted with the event loop free in between', async (t) => {
  let rounds = 0;
  let busy = true;
  const count = () => {
    rounds++;
    if (busy) setImmediate(count);
  };
  setImmediate(count);
  const much = Array.from({ length: 10 }, () => ({ x: 0, y: 0, width: WIDTH, height: HEIGHT }));
  await convertInSlices(words, WIDTH, planes(), much);
  busy = false;
  t.ok(rounds > 0, `${rounds} rounds`);
});
