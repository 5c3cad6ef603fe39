import t from 'tap';
import { Letterbox, place } from '../../../server/host/recording/letterbox.ts';
import { type Colour, painted } from './captures.ts';

const FRAME = { width: 96, height: 160 };

t.test('a picture goes into the middle of the frame, as large as fits', async (t) => {
  t.strictSame(place({ width: 160, height: 96 }, FRAME), { width: 96, height: 58, x: 0, y: 51 });
  t.strictSame(place({ width: 96, height: 160 }, FRAME), { ...FRAME, x: 0, y: 0 });
  t.strictSame(place({ width: 97, height: 161 }, FRAME), { width: 96, height: 159, x: 0, y: 0 });
  t.strictSame(place({ width: 10, height: 10 }, FRAME), { width: 96, height: 96, x: 0, y: 32 });
  t.strictSame(place({ width: 10_000, height: 1 }, FRAME), { width: 96, height: 1, x: 0, y: 79 });
});

t.test('the bars are black, the picture keeps its colour, and nothing of the picture before is left', async (t) => {
  const letterbox = new Letterbox(FRAME);
  const look = (colour: Colour, width: number, height: number) => {
    const { pixels, ...framed } = letterbox.put(painted(1, colour, width, height));
    t.match(framed, FRAME);
    return (x: number, y: number) => [...pixels.subarray((y * FRAME.width + x) * 4, (y * FRAME.width + x) * 4 + 4)];
  };
  const upright = look([200, 10, 20], 96, 160);
  t.strictSame(upright(0, 0), [200, 10, 20, 255]);
  t.strictSame(upright(95, 159), [200, 10, 20, 255]);
  const turned = look([10, 200, 20], 160, 96);
  for (const y of [0, 50, 109, 159]) t.strictSame(turned(48, y), [0, 0, 0, 255], `bar at ${y}`);
  for (const y of [51, 80, 108]) t.strictSame(turned(48, y), [10, 200, 20, 255], `picture at ${y}`);
  const tall = look([1, 2, 200], 20, 160);
  t.strictSame(
    [tall(37, 80), tall(38, 80), tall(57, 80), tall(58, 80)].map(([, , blue]) => blue),
    [0, 200, 200, 0],
  );
  letterbox.close();
});
