import { CAPABILITIES, ORIENTATIONS } from '@runcloud/protocol/terms';
import type { Test } from 'tap';
import { findColour } from '../support/marks.ts';
import { conform } from './conform.ts';
import type { Point } from './drivers.ts';
import { seeded } from './random.ts';
import type { Subject } from './subject.ts';

const MARKER = 0xff00ff;
const SECOND_MARKER = 0x00ffff;
const CORNERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;
const EDGE_CENTRES = [
  [0.5, 0],
  [1, 0.5],
  [0.5, 1],
  [0, 0.5],
] as const;
/** Looked up in the picture; many more are looked up in the app's own log. */
const RANDOM_IN_PICTURE = 3;
const RANDOM_IN_LOG = 60;

/** The pixel that a normalised coordinate means; the tolerance takes up the error of sums such as 0.1 + 0.2. */
const pixel = (value: number, size: number): number => Math.min(size - 1, Math.floor(value * size + 1e-6));

async function tapsThePixel(t: Test, subject: Subject, { x, y }: Point): Promise<void> {
  await subject.do({ action: 'tap', x, y });
  const { width, height, places } = await findColour(await subject.transport.screenshot(), MARKER);
  const at = { x: pixel(x, width), y: pixel(y, height) };
  t.same(places, [`${at.x},${at.y}`], `a tap at ${x}, ${y} marks that pixel and no other`);
  t.match(await subject.app(), { lastTouch: at });
}

/** Two fingers go along paths of their own; every step of both is marked, and nothing else. */
async function movesOverThePixels(t: Test, subject: Subject, random: () => number): Promise<void> {
  const paths = [MARKER, SECOND_MARKER].map((colour) => {
    return { colour, path: Array.from({ length: 4 }, () => ({ x: random(), y: random() })) };
  });
  const phases = ['begin', 'move', 'move', 'end'];
  const steps = phases.map((phase, index) => ({ phase, points: paths.map(({ path }) => path[index]) }));
  await subject.do({ action: 'gesture', steps });
  const png = await subject.transport.screenshot();
  for (const { colour, path } of paths) {
    const { width, height, places } = await findColour(png, colour);
    const expected = path.map(({ x, y }) => `${pixel(x, width)},${pixel(y, height)}`);
    t.same([...places].sort(), expected.sort(), 'each finger went over its own pixels');
  }
}

conform(
  ORIENTATIONS.map((orientation, index) => ({
    title: `a tap in ${orientation}, and a gesture of two fingers, hit exactly the pixels that were asked for`,
    platforms: (['ios', 'android'] as const).filter((name) => CAPABILITIES[name].orientations.includes(orientation)),
    async prove(t, subject) {
      await subject.open('touch-lab');
      await subject.do({ action: 'rotate', orientation });
      const random = seeded(index + 1);
      const points: Point[] = [...CORNERS, ...EDGE_CENTRES].map(([x, y]) => ({ x, y }));
      for (let count = 0; count < RANDOM_IN_PICTURE; count++) points.push({ x: random(), y: random() });
      for (const point of points) await tapsThePixel(t, subject, point);

      if (subject.can.fingers === 2) await movesOverThePixels(t, subject, random);

      const { width, height } = await subject.pixels();
      t.equal(width > height, orientation.startsWith('landscape'), 'the picture lies as the device does');
      const expected: Point[] = [];
      for (let count = 0; count < RANDOM_IN_LOG; count++) {
        // Coordinates at the very edge of a pixel, where an error of rounding would show.
        const edge = { x: Math.floor(random() * width) / width, y: Math.floor(random() * height) / height };
        const { x, y } = count % 2 === 0 ? edge : { x: random(), y: random() };
        await subject.do({ action: 'tap', x, y });
        const at = { x: pixel(x, width), y: pixel(y, height) };
        expected.push(at, at);
      }
      const touches = (await subject.app()).touches as { points: readonly Point[] }[];
      t.same(
        touches.slice(-expected.length).map(({ points: [point] }) => point),
        expected,
      );
    },
  })),
);
