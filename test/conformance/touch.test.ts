import { findColour } from '../support/marks.ts';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const FIRST_FINGER = 0xff00ff;
const SECOND_FINGER = 0x00ffff;
/** Maximum duration of a movement that the phone takes for a swipe; longer ones are drags. */
const SWIPE_MS_MAX = 600;

async function marked(subject: Subject, finger: number, point: { x: number; y: number }): Promise<boolean> {
  const { width, height, places } = await findColour(await subject.transport.screenshot(), finger);
  return places.includes(`${Math.floor(point.x * width)},${Math.floor(point.y * height)}`);
}

conform([
  {
    title: 'a tap touches once, where it was asked to, and says so',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const { result } = await subject.do({ action: 'tap', x: 0.3, y: 0.7 });
      t.same(result, { pointCount: 1 });
      const { app, pointers } = await subject.inspect();
      t.match(app, { taps: 1, lastGesture: { kind: 'tap', pointerCount: 1 } });
      t.same(pointers, []);
      t.ok(await marked(subject, FIRST_FINGER, { x: 0.3, y: 0.7 }));
    },
  },
  {
    title: 'a tap on an icon opens its app',
    async prove(t, subject) {
      const before = await subject.stillPicture();
      await subject.do({ action: 'tap', ...subject.stage.driver.icon(subject.stage.session, 'settings') });
      t.equal((await subject.inspect()).foreground, 'settings');
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
    },
  },
  {
    title: 'a swipe moves the list under it',
    async prove(t, subject) {
      await subject.open('scroll');
      const before = await subject.stillPicture();
      const swipe = { from: { x: 0.5, y: 0.8 }, to: { x: 0.5, y: 0.4 }, durationMs: 200 };
      const { result } = await subject.do({ action: 'swipe', ...swipe });
      t.same(result, { pointCount: 1, durationMs: 200 });
      const { height } = await subject.pixels();
      const offset = Number((await subject.app()).offset);
      t.ok(offset > height * 0.3, `it moved by ${offset} pixels`);
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
      const rested = Number((await subject.app()).offset);
      await subject.do({ action: 'swipe', from: swipe.to, to: swipe.from, durationMs: 500 });
      t.ok(Number((await subject.app()).offset) < rested - height * 0.3, 'and back again');
    },
  },
  {
    title: 'a swipe is seen as one, takes its time and leaves its trail',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const [from, to] = [
        { x: 0.2, y: 0.8 },
        { x: 0.8, y: 0.3 },
      ];
      const quick = await subject.do({ action: 'swipe', from, to, durationMs: 200 });
      const swipe = (await subject.app()).lastGesture as { kind: string; durationMs: number };
      t.equal(swipe.kind, swipe.durationMs <= SWIPE_MS_MAX ? 'swipe' : 'drag');
      t.ok(swipe.durationMs >= 195 && quick.durationMs >= 195, `the swipe took ${swipe.durationMs} ms`);
      t.ok(await marked(subject, FIRST_FINGER, from));
      t.ok(await marked(subject, FIRST_FINGER, to));
      await subject.do({ action: 'swipe', from, to, durationMs: 1_000 });
      const drag = (await subject.app()).lastGesture as { kind: string; durationMs: number };
      t.equal(drag.kind, 'drag');
      t.ok(drag.durationMs >= 995, `the drag took ${drag.durationMs} ms`);
      // Both take at least their time; a busy machine adds to it.
      const longerMs = swipe.durationMs <= SWIPE_MS_MAX ? swipe.durationMs * 1.5 : 0;
      t.ok(drag.durationMs > longerMs, `and the swipe ${swipe.durationMs} ms`);
    },
  },
  {
    title: 'a swipe without a duration takes 300 ms',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const swipe = { action: 'swipe', from: { x: 0.5, y: 0.6 }, to: { x: 0.5, y: 0.4 } };
      t.same((await subject.do(swipe)).result, { pointCount: 1, durationMs: 300 });
      t.ok(Number(((await subject.app()).lastGesture as { durationMs: number }).durationMs) >= 295);
    },
  },
  {
    title: 'a gesture of one finger goes through each of its points, at their times',
    needs: ({ freeGestures }) => freeGestures,
    async prove(t, subject) {
      await subject.open('touch-lab');
      const path = [
        { x: 0.2, y: 0.3 },
        { x: 0.8, y: 0.3 },
        { x: 0.8, y: 0.7 },
        { x: 0.25, y: 0.75 },
      ];
      const steps = path.map((point, index) => ({
        phase: index === 0 ? 'begin' : index === path.length - 1 ? 'end' : 'move',
        points: [point],
        ...(index === path.length - 1 ? {} : { delayMs: 100 }),
      }));
      const { result, durationMs } = await subject.do({ action: 'gesture', steps });
      t.same(result, { pointCount: 1, dispatchedSteps: 4 });
      t.ok(durationMs >= 295, `it took ${durationMs} ms`);
      const app = await subject.app();
      t.same(
        (app.touches as { phase: string }[]).map(({ phase }) => phase),
        ['begin', 'move', 'move', ...(subject.stage.driver.endsInPlace ? ['move'] : []), 'end'],
      );
      t.ok((app.lastGesture as { durationMs: number }).durationMs >= 295);
      for (const point of path) t.ok(await marked(subject, FIRST_FINGER, point), `a mark at ${point.x}, ${point.y}`);
    },
  },
  {
    title: 'a gesture of two fingers that part is a pinch',
    needs: ({ fingers }) => fingers === 2,
    async prove(t, subject) {
      await subject.open('touch-lab');
      const apart = (distance: number) => [
        { x: 0.5 - distance, y: 0.5 },
        { x: 0.5 + distance, y: 0.55 },
      ];
      const steps = [
        { phase: 'begin', points: apart(0.05), delayMs: 20 },
        ...[0.1, 0.2, 0.3].map((distance) => ({ phase: 'move', points: apart(distance), delayMs: 20 })),
        { phase: 'end', points: apart(0.4), delayMs: 0 },
      ];
      t.same((await subject.do({ action: 'gesture', steps })).result, { pointCount: 2, dispatchedSteps: 5 });
      const { app, pointers } = await subject.inspect();
      t.match(app, { pointerCountMax: 2, taps: 0, lastGesture: { kind: 'pinch', pointerCount: 2 } });
      t.same(pointers, []);
      t.ok(await marked(subject, FIRST_FINGER, { x: 0.1, y: 0.5 }));
      t.ok(await marked(subject, SECOND_FINGER, { x: 0.9, y: 0.55 }));
    },
  },
  {
    title: 'a gesture of two fingers that stay side by side is no pinch',
    needs: ({ fingers }) => fingers === 2,
    async prove(t, subject) {
      await subject.open('touch-lab');
      const at = (y: number) => [
        { x: 0.4, y },
        { x: 0.6, y },
      ];
      const steps = [
        { phase: 'begin', points: at(0.7), delayMs: 30 },
        { phase: 'move', points: at(0.5), delayMs: 30 },
        { phase: 'end', points: at(0.3) },
      ];
      t.same((await subject.do({ action: 'gesture', steps })).result, { pointCount: 2, dispatchedSteps: 3 });
      t.match(await subject.app(), { lastGesture: { kind: 'twoFinger', pointerCount: 2 } });
    },
  },
]);
