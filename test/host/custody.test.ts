import t from 'tap';
import type { DeviceTarget } from '../../server/device/target.ts';
import { Custody, TREATMENT_MS_MAX } from '../../server/host/custody.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';
import { standing } from '../support/session-arena.ts';

const target: DeviceTarget = { driver: 'android-emulator', id: 'Pixel', facts: {}, tools: {} };
const other = { ...target, id: 'Tablet' };

/** A driver that does not listen, and the treatment that waits for it. */
function begin(
  custody: Custody,
  treatment: 'made ready' | 'opened' | 'reset',
  on: DeviceTarget | 'none' = target,
  waitedMs = 0,
) {
  const work = deferred<string>();
  const undone: string[] = [];
  const abort = new AbortController();
  let signal: AbortSignal | undefined;
  const treated = custody.treat(
    on === 'none' ? undefined : on,
    treatment,
    (given) => {
      signal = given;
      return work.promise;
    },
    { waitedMs, abort: abort.signal, undo: async (late) => undone.push(late) },
  );
  treated.catch(() => undefined);
  return { work, undone, abort, treated, signal: () => signal };
}

t.test('a treatment settles as its driver does, and leaves no timer', async (t) => {
  const clock = new FakeClock();
  const custody = new Custody(clock);
  const well = begin(custody, 'opened');
  well.work.resolve('device');
  t.equal(await well.treated, 'device');
  const ill = begin(custody, 'opened');
  ill.work.reject(new Error('no image'));
  await t.rejects(ill.treated, { message: 'no image' });
  t.strictSame([clock.waiting, well.undone, well.signal()?.aborted], [0, [], false]);
});

for (const treatment of ['made ready', 'opened', 'reset'] as const) {
  t.test(`a driver by which a device is never ${treatment} is given up in its time, and told why`, async (t) => {
    const clock = new FakeClock();
    const { treated, signal } = begin(new Custody(clock), treatment);
    await clock.advance(TREATMENT_MS_MAX[treatment] - 1);
    t.equal(await standing(treated), 'pending');
    await clock.advance(1);
    const fault = { name: 'DeviceFault', kind: 'unavailable', message: new RegExp(`could not be ${treatment} within`) };
    await t.rejects(treated, fault);
    t.match(signal()?.reason, fault);
  });
}

t.test('what comes after it was given up is taken back, once', async (t) => {
  const clock = new FakeClock();
  const { work, undone, abort, treated } = begin(new Custody(clock), 'opened');
  await settled();
  abort.abort();
  await t.rejects(treated, { name: 'DeviceFault', kind: 'aborted' });
  t.strictSame(undone, []);
  work.resolve('late');
  await settled();
  t.strictSame(undone, ['late']);
  t.equal(clock.waiting, 0);
});

t.test('a device is not ready nor opened before the driver has let go of it; others are', async (t) => {
  const clock = new FakeClock();
  const custody = new Custody(clock);
  const resetting = begin(custody, 'reset');
  await clock.advance(TREATMENT_MS_MAX.reset);
  await t.rejects(resetting.treated, { name: 'DeviceFault', kind: 'unavailable' });
  for (const treatment of ['made ready', 'opened'] as const) {
    const refused = begin(custody, treatment);
    await clock.advance(10_000);
    await t.rejects(refused.treated, { kind: 'unavailable', message: 'The device is still being reset.' });
    t.equal(refused.signal(), undefined, 'its driver is not asked');
  }
  const elsewhere = begin(custody, 'opened', other);
  await settled();
  t.ok(elsewhere.signal());
  const waiting = begin(custody, 'made ready');
  await settled();
  t.equal(waiting.signal(), undefined);
  resetting.work.resolve('');
  await settled();
  t.ok(waiting.signal(), 'it begins as soon as the device is free');
});

t.test('what was waited for is taken off the time that a treatment has, here and on the way here', async (t) => {
  const clock = new FakeClock();
  const custody = new Custody(clock);
  const look = begin(custody, 'made ready');
  const opening = begin(custody, 'opened', target, 30_000);
  await clock.advance(9_000);
  look.work.resolve('well');
  await clock.advance(TREATMENT_MS_MAX.opened - 30_000 - 9_000 - 1);
  t.equal(await standing(opening.treated), 'pending');
  t.equal(opening.signal()?.aborted, false);
  await clock.advance(1);
  await t.rejects(opening.treated, { kind: 'unavailable', message: 'The device could not be opened within 110 s.' });
});

t.test('treatments that are asked for in one moment get the device one after the other, all in one wait', async (t) => {
  const clock = new FakeClock();
  const custody = new Custody(clock);
  const [first, second, third] = [begin(custody, 'made ready'), begin(custody, 'opened'), begin(custody, 'opened')];
  await clock.advance(6_000);
  t.strictSame([first.signal() !== undefined, second.signal(), third.signal()], [true, undefined, undefined]);
  first.work.resolve('well');
  await clock.advance(3_999);
  t.strictSame([second.signal() !== undefined, third.signal()], [true, undefined]);
  await clock.advance(1);
  await t.rejects(third.treated, { message: 'The device is still being opened.' });
});

t.test('a reset is not kept waiting, and devices that are made for their sessions wait for nobody', async (t) => {
  const custody = new Custody(new FakeClock());
  begin(custody, 'made ready');
  const virtual = [begin(custody, 'reset', 'none'), begin(custody, 'opened', 'none')];
  const reset = begin(custody, 'reset');
  await settled();
  for (const { signal } of [...virtual, reset]) t.ok(signal());
});

t.test('closing wakes everybody, tells the drivers, and lets nothing begin', async (t) => {
  const clock = new FakeClock();
  const custody = new Custody(clock);
  const running = [begin(custody, 'made ready'), begin(custody, 'opened', other)];
  const waiting = begin(custody, 'opened');
  await settled();
  custody.close();
  for (const { treated, signal } of running) {
    await t.rejects(treated, { name: 'DeviceFault', kind: 'unreachable' });
    t.equal(signal()?.aborted, true);
  }
  for (const { work } of running) work.resolve('late');
  await t.rejects(waiting.treated, { name: 'DeviceFault', kind: 'unreachable' });
  await t.rejects(begin(custody, 'reset').treated, { name: 'DeviceFault', kind: 'unreachable' });
});
