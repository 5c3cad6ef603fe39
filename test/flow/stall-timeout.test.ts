import t from 'tap';
import { timeoutUnlessStalled } from '../../server/flow/stall-timeout.ts';
import { FakeClock } from '../support/fake-clock.ts';

const LIMIT_MS = 5_000;

function wait() {
  const clock = new FakeClock();
  let told = 0;
  const cancelTimer = timeoutUnlessStalled(LIMIT_MS, clock, () => told++);
  return { clock, cancelTimer, told: () => told };
}

t.test('an event that does not come within the limit is reported as late once', async (t) => {
  const { clock, told } = wait();
  await clock.advance(LIMIT_MS - 1);
  t.equal(told(), 0);
  await clock.advance(1);
  t.equal(told(), 1);
  await clock.advance(LIMIT_MS * 3);
  t.equal(told(), 1);
});

t.test('a pause of this thread counts as a tenth of the limit, however long it is', async (t) => {
  const { clock, told } = wait();
  await clock.advance(100);
  await clock.pause(LIMIT_MS * 100);
  t.equal(told(), 0, 'what has arrived meanwhile is read first');
  await clock.advance(LIMIT_MS * 0.9 - 1);
  t.equal(told(), 0);
  await clock.advance(1);
  t.equal(told(), 1);
});

t.test('an event in time leaves no timer behind', async (t) => {
  for (const afterMs of [0, LIMIT_MS / 2, LIMIT_MS]) {
    const { clock, cancelTimer, told } = wait();
    await clock.advance(afterMs);
    const before = told();
    cancelTimer();
    t.equal(clock.waiting, 0);
    await clock.advance(LIMIT_MS * 2);
    t.equal(told(), before);
  }
});
