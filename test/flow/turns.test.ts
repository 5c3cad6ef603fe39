import t from 'tap';
import { TURN_MS, Turns } from '../../server/flow/turns.ts';

t.test('a turn is over when its time has passed, and the next one has as much', async (t) => {
  let nowMs = 5;
  const turns = new Turns(() => nowMs);
  t.equal(turns.over, false);
  nowMs += TURN_MS / 2;
  t.equal(turns.over, false);
  nowMs += TURN_MS / 2;
  t.equal(turns.over, true);
  await turns.next();
  t.equal(turns.over, false);
  nowMs += TURN_MS;
  t.equal(turns.over, true);
});

t.test('between two turns the event loop sees to what waits there', async (t) => {
  const turns = new Turns();
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
  for (let turn = 0; turn < 3 && !answered; turn++) await turns.next();
  t.ok(answered);
});
