import t from 'tap';
import { withTimeout } from '../../server/flow/timeout.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';

t.test('work that ends in time is heard, and its timer is taken back', async (t) => {
  const clock = new FakeClock();
  const work = deferred<number>();
  const limited = withTimeout(100, clock, work.promise);
  await clock.advance(99);
  work.resolve(7);
  t.equal(await limited, 7);
  await settled();
  t.equal(clock.waiting, 0);
});

t.test('work that fails in time gives its own error', async (t) => {
  const clock = new FakeClock();
  await t.rejects(withTimeout(100, clock, Promise.reject(new Error('broken'))), { message: 'broken' });
  await settled();
  t.equal(clock.waiting, 0);
});

t.test('work that takes too long is not waited for, and its late end is quiet', async (t) => {
  const clock = new FakeClock();
  const late = deferred<number>();
  const limited = t.rejects(withTimeout(100, clock, late.promise), { message: /100 ms/ });
  await clock.advance(100);
  await limited;
  late.reject(new Error('nobody listens'));
  await settled();
});
