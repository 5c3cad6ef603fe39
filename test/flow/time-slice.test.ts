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
