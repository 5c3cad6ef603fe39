import t from 'tap';
import { TIME_SLICE_MS, TimeSlice } from '../../server/flow/time-slice.ts';

t.test('a turn is over when its time has passed, and the next one has as much', async (t) => {
  let nowMs = 5;
  const slice = new TimeSlice(() => nowMs);
  t.equal(slice.over, false);
  nowMs += TIME_SLICE_MS / 2;
  t.equal(slice.over, false);
  nowMs += TIME_SLICE_MS / 2;
  t.equal(slice.over, true);
  await slice.next();
  t.equal(slice.over, false);
  nowMs += TIME_SLICE_MS;
  t.equal(slice.over, true);
});

t.test('between two turns the event loop sees to what waits there', async (t) => {
  const slice = new TimeSlice();
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => port1.close());
  const heard = new Promise<void>((resolve) => port1.addEventListener('message', () => resolve()));
  port1.start();
  let answered = false;
  void heard.then(() => {
    answered = true;
  });
  port2.postMessage('tap');
  // A message of the same thread takes a turn to arrive.
  for (let turn = 0; turn < 3 && !answered; turn++) await slice.next();
  t.ok(answered);
});

t.test('however many works there are, one has a slice in an iteration of the loop, in their order', async (t) => {
  const done: string[] = [];
  let iteration = 0;
  const work = async (name: string) => {
    const slice = new TimeSlice();
    for (let piece = 1; piece <= 2; piece++) {
      await slice.next();
      done.push(`${name}${piece} in ${iteration}`);
    }
  };
  let counting = true;
  const count = () => {
    iteration++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(['a', 'b', 'c'].map(work));
  counting = false;
  t.same(done, ['a1 in 1', 'b1 in 2', 'c1 in 3', 'a2 in 4', 'b2 in 5', 'c2 in 6']);
});
