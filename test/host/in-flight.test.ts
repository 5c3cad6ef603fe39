import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { InFlight } from '../../server/host/in-flight.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';

t.test('nothing under way is settled at once', async (t) => {
  await new InFlight().settled();
  t.pass();
});

t.test('it is settled when the last work is, also one that began meanwhile or failed', async (t) => {
  const inFlight = new InFlight();
  const [first, second, third] = [deferred<number>(), deferred<number>(), deferred<number>()];
  const tracked = inFlight.track(first.promise);
  const failing = t.rejects(inFlight.track(second.promise), { message: 'broken' });
  let over = false;
  const ending = inFlight.settled().then(() => {
    over = true;
  });
  const late = inFlight.track(third.promise);
  first.resolve(7);
  t.equal(await tracked, 7, 'whoever waits for the work gets what it gives');
  second.reject(new Error('broken'));
  await failing;
  await settled();
  t.equal(over, false);
  third.resolve(1);
  await late;
  await ending;
  await inFlight.settled();
  t.equal(over, true);
});

t.test('work that goes on with what another one gave is waited for, however late it is tracked', async (t) => {
  const inFlight = new InFlight();
  const [first, second] = [deferred<number>(), deferred<number>()];
  const chain = inFlight.track(first.promise).then(async () => {
    for (let hops = 0; hops < 20; hops++) await undefined;
    return inFlight.track(second.promise);
  });
  let over = false;
  const ending = inFlight.settled().then(() => {
    over = true;
  });
  first.resolve(1);
  await setImmediate();
  await setImmediate();
  t.equal(over, false);
  second.resolve(2);
  t.equal(await chain, 2);
  await ending;
});
