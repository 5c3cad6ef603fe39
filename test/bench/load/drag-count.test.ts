import t from 'tap';
import { DragCount } from '../../../bench/load/drag-count.ts';

function counted(gestures: number, stepsPerGesture: number, endsWithResult = true) {
  const steps: (readonly [step: number, atUs: number])[] = [];
  const ends: (readonly [lastStep: number, atUs: number])[] = [];
  const count = new DragCount(gestures, stepsPerGesture, endsWithResult, {
    stepped: (step, atUs) => void steps.push([step, atUs]),
    ended: (lastStep, atUs) => void ends.push([lastStep, atUs]),
  });
  return { count, steps, ends };
}

t.test('while nothing is replaced the n-th answer is about step n, however late it comes', async (t) => {
  const { count, steps, ends } = counted(2, 3);
  for (const [atUs, newest] of [
    [10, 0],
    [45, 2],
    [46, 2],
  ] as const)
    count.dispatched(atUs, newest);
  t.notOk(count.complete);
  count.result(50);
  for (const [atUs, newest] of [
    [60, 3],
    [70, 4],
    [80, 5],
  ] as const)
    count.dispatched(atUs, newest);
  count.result(90);
  t.same(steps, [
    [0, 10],
    [1, 45],
    [2, 46],
    [3, 60],
    [4, 70],
    [5, 80],
  ]);
  t.same(ends, [
    [2, 50],
    [5, 90],
  ]);
  t.equal(count.replaced, 0);
  t.ok(count.complete);
});

t.test('a replaced move counts up to the step that took its place, and those after it are on time again', async (t) => {
  const { count, steps } = counted(1, 6);
  // Steps 1 and 2 wait behind a stall and step 3 goes in their place.
  for (const [atUs, newest] of [
    [10, 0],
    [43, 3],
    [51, 4],
    [61, 5],
  ] as const)
    count.dispatched(atUs, newest);
  count.result(70);
  t.same(steps, [
    [0, 10],
    [1, 43],
    [2, 43],
    [3, 43],
    [4, 51],
    [5, 61],
  ]);
  t.equal(count.replaced, 2);
  t.ok(count.complete);
});

t.test('the first answer is about the begin and the last about the end, whatever was sent by then', async (t) => {
  const { count, steps } = counted(1, 5);
  for (const [atUs, newest] of [
    [40, 4],
    [41, 4],
  ] as const)
    count.dispatched(atUs, newest);
  count.result(50);
  t.same(steps, [
    [0, 40],
    [1, 41],
    [2, 41],
    [3, 41],
    [4, 41],
  ]);
  t.equal(count.replaced, 3);
});

t.test('an echo answers steps and no gesture', async (t) => {
  const { count, steps, ends } = counted(1, 2, false);
  count.dispatched(1, 0);
  t.notOk(count.complete);
  count.dispatched(2, 1);
  t.ok(count.complete);
  t.same(
    [steps, ends],
    [
      [
        [0, 1],
        [1, 2],
      ],
      [],
    ],
  );
});
