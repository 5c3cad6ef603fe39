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
