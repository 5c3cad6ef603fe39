import t from 'tap';
import {
  orientationOf,
  type QuarterTurns,
  toDisplayPixel,
  toUprightPixel,
  turnsOf,
  uprightSize,
} from '../../../../server/drivers/android/guest/orientation.ts';

const DISPLAY = { width: 1_080, height: 2_400 };
const SHARES = [0, 0.5, 1] as const;

/** Where the corner at (0, 0) of the picture lies on the glass, and the two that follow it clockwise. */
const CORNERS: Readonly<Record<QuarterTurns, readonly (readonly [x: number, y: number])[]>> = {
  0: [
    [0, 0],
    [1_079, 0],
    [1_079, 2_399],
    [0, 2_399],
  ],
  1: [
    [1_079, 0],
    [1_079, 2_399],
    [0, 2_399],
    [0, 0],
  ],
  2: [
    [1_079, 2_399],
    [0, 2_399],
    [0, 0],
    [1_079, 0],
  ],
  3: [
    [0, 2_399],
    [0, 0],
    [1_079, 0],
    [1_079, 2_399],
  ],
};

for (const turns of [0, 1, 2, 3] as const) {
  t.test(`nine points of the picture meet the glass where it lies after ${turns} quarter turns`, async (t) => {
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const;
    for (const [index, [x, y]] of corners.entries()) {
      const [left, top] = CORNERS[turns][index] ?? [];
      t.same(toDisplayPixel({ x, y }, turns, DISPLAY), { x: left, y: top }, `${x}, ${y}`);
    }
    const middle = toDisplayPixel({ x: 0.5, y: 0.5 }, turns, DISPLAY);
    t.ok(Math.abs(middle.x - 539.5) <= 0.5 && Math.abs(middle.y - 1_199.5) <= 0.5);
    const seen = SHARES.flatMap((x) => SHARES.map((y) => toDisplayPixel({ x, y }, turns, DISPLAY)));
    t.equal(new Set(seen.map(({ x, y }) => `${x},${y}`)).size, 9);
    t.ok(seen.every(({ x, y }) => x >= 0 && x < 1_080 && y >= 0 && y < 2_400));
  });

  t.test(`after ${turns} quarter turns every pixel of the picture has one of the glass`, async (t) => {
    const small = { width: 7, height: 11 };
    const [width, height] = turns % 2 === 0 ? [7, 11] : [11, 7];
    const met = new Set<string>();
    for (let x = 0; x < width; x++) {
      for (let y = 0; y < height; y++) {
        const { x: across, y: down } = toDisplayPixel({ x: x / width, y: y / height }, turns, small);
        met.add(`${across},${down}`);
      }
    }
    t.equal(met.size, 77);
  });

  t.test(`${turns} quarter turns are one orientation, and back`, async (t) => {
    t.equal(turnsOf(orientationOf(turns)), turns);
  });
}

t.test('the way back from the display leads to the same pixel of the picture', async (t) => {
  for (const turns of [0, 1, 2, 3] as const) {
    const { width, height } = uprightSize(DISPLAY, turns);
    t.same([width, height], turns % 2 === 1 ? [2_400, 1_080] : [1_080, 2_400]);
    for (const [x, y] of [
      [0, 0],
      [7, 11],
      [width - 1, 0],
      [width - 1, height - 1],
    ] as const) {
      const there = toDisplayPixel({ x: (x + 0.5) / width, y: (y + 0.5) / height }, turns, DISPLAY);
      t.same(toUprightPixel(there, turns, DISPLAY), { x, y }, `${turns} turns`);
    }
  }
});
