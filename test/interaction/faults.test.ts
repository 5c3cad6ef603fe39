import t from 'tap';
import type { RequestObserver } from '../../server/interaction/request.ts';
import { settled } from '../support/fake-clock.ts';
import { openArena, tap, Witness } from '../support/interaction-arena.ts';

t.test(
  'a request whose time-out fails inside the service ends alone, once, and those behind it have their turn',
  async (t) => {
    const { submit, clock, scripted, device, faults } = await openArena();
    scripted.patient = true;
    const stuck = await submit(tap('stuck', 0.5, 100));
    const behind = await submit(tap('behind'));
    const cancel = device.cancel;
    device.cancel = () => {
      throw new Error('a bug in stopping');
    };
    await clock.advance(120);
    device.cancel = cancel;
    t.match(faults, [{ message: 'a bug in stopping' }]);
    t.match(stuck.acknowledgement, { ok: false, error: { code: 'internal_error' } });
    // The device is done with the first, whose answer nobody waits for any more, and takes the second.
    for (let answer = 0; answer < 2; answer++) {
      await settled();
      scripted.lastPerform.answer({ pointCount: 1 });
    }
    await settled();
    t.equal(behind.status, 'completed');
    await clock.advance(60_000);
    t.equal(faults.length, 1, 'it is not tried again');
  },
);

t.test('an observer that throws affects neither the other observers of a request nor later requests', async (t) => {
  const { submit, interactions, scripted, faults } = await openArena();
  scripted.patient = true;
  const deaf: RequestObserver = {
    settled: () => {
      throw new Error('a bug in hearing');
    },
  };
  interactions.submit(tap('one'), deaf);
  const other = new Witness();
  interactions.submit(tap('one'), other);
  const behind = await submit(tap('behind'));
  scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  t.match(faults, [{ message: 'a bug in hearing' }]);
  t.equal(other.status, 'completed');
  await settled();
  scripted.lastPerform.answer({ pointCount: 1 });
  await settled();
  t.equal(behind.status, 'completed');
});
