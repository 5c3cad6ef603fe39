import t from 'tap';
import type { DeviceTarget } from '../../server/device/target.ts';
import { DeviceLock, OPERATION_MS_MAX } from '../../server/host/device-lock.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';
import { standing } from '../support/session-arena.ts';

const target: DeviceTarget = { driver: 'android-emulator', id: 'Pixel', facts: {}, tools: {} };
const other = { ...target, id: 'Tablet' };

/** A driver that does not listen, and the operation that waits for it. */
function begin(
  lock: DeviceLock,
  operation: 'made ready' | 'opened' | 'reset',
  on: DeviceTarget | 'none' = target,
  waitedMs = 0,
) {
  const work = deferred<string>();
  const undone: string[] = [];
  const abort = new AbortController();
  let signal: AbortSignal | undefined;
  const result = lock.run(
    on === 'none' ? undefined : on,
    operation,
    (given) => {
      signal = given;
      return work.promise;
    },
    { waitedMs, abort: abort.signal, undo: async (late) => undone.push(late) },
  );
  result.catch(() => undefined);
  return { work, undone, abort, result, signal: () => signal };
}

t.test('an operation settles as its driver does, and leaves no timer', async (t) => {
  const clock = new FakeClock();
  const lock = new DeviceLock(clock);
  const well = begin(lock, 'opened');
  well.work.resolve('device');
  t.equal(await well.result, 'device');
  const ill = begin(lock, 'opened');
  ill.work.reject(new Error('no image'));
  await t.rejects(ill.result, { message: 'no image' });
  t.strictSame([clock.waiting, well.undone, well.signal()?.aborted], [0, [], false]);
});

for (const operation of ['made ready', 'opened', 'reset'] as const) {
  t.test(`a driver by which a device is never ${operation} is given up in its time, and told why`, async (t) => {
    const clock = new FakeClock();
    const { result, signal } = begin(new DeviceLock(clock), operation);
    await clock.advance(OPERATION_MS_MAX[operation] - 1);
    t.equal(await standing(result), 'pending');
    await clock.advance(1);
    const fault = { name: 'DeviceFault', kind: 'unavailable', message: new RegExp(`could not be ${operation} within`) };
    await t.rejects(result, fault);
    t.match(signal()?.reason, fault);
  });
}

t.test('a result that arrives after its operation was aborted is undone, once', async (t) => {
  const clock = new FakeClock();
  const { work, undone, abort, result } = begin(new DeviceLock(clock), 'opened');
  await settled();
  abort.abort();
  await t.rejects(result, { name: 'DeviceFault', kind: 'aborted' });
  t.strictSame(undone, []);
  work.resolve('late');
  await settled();
  t.strictSame(undone, ['late']);
  t.equal(clock.waiting, 0);
});

t.test('a device is not ready nor opened before the driver has let go of it; others are', async (t) => {
  const clock = new FakeClock();
  const lock = new DeviceLock(clock);
  const resetting = begin(lock, 'reset');
  await clock.advance(OPERATION_MS_MAX.reset);
  await t.rejects(resetting.result, { name: 'DeviceFault', kind: 'unavailable' });
  for (const operation of ['made ready', 'opened'] as const) {
    const refused = begin(lock, operation);
    await clock.advance(10_000);
    await t.rejects(refused.result, { kind: 'unavailable', message: 'The device is still being reset.' });
    t.equal(refused.signal(), undefined, 'its driver is not asked');
  }
  const elsewhere = begin(lock, 'opened', other);
  await settled();
  t.ok(elsewhere.signal());
  const waiting = begin(lock, 'made ready');
  await settled();
  t.equal(waiting.signal(), undefined);
  resetting.work.resolve('');
  await settled();
  t.ok(waiting.signal(), 'it begins as soon as the device is free');
});

t.test('the time that an operation has waited, for the lock and before, counts against its time limit', async (t) => {
  const clock = new FakeClock();
  const lock = new DeviceLock(clock);
  const look = begin(lock, 'made ready');
  const opening = begin(lock, 'opened', target, 30_000);
  await clock.advance(9_000);
  look.work.resolve('well');
  await clock.advance(OPERATION_MS_MAX.opened - 30_000 - 9_000 - 1);
  t.equal(await standing(opening.result), 'pending');
  t.equal(opening.signal()?.aborted, false);
  await clock.advance(1);
  await t.rejects(opening.result, { kind: 'unavailable', message: 'The device could not be opened within 110 s.' });
});

t.test('operations that are asked for in one moment get the device one after the other, all in one wait', async (t) => {
  const clock = new FakeClock();
  const lock = new DeviceLock(clock);
  const [first, second, third] = [begin(lock, 'made ready'), begin(lock, 'opened'), begin(lock, 'opened')];
  await clock.advance(6_000);
  t.strictSame([first.signal() !== undefined, second.signal(), third.signal()], [true, undefined, undefined]);
  first.work.resolve('well');
  await clock.advance(3_999);
  t.strictSame([second.signal() !== undefined, third.signal()], [true, undefined]);
  await clock.advance(1);
  await t.rejects(third.result, { message: 'The device is still being opened.' });
});

t.test('a reset is not kept waiting, and devices that are made for their sessions wait for nobody', async (t) => {
  const lock = new DeviceLock(new FakeClock());
  begin(lock, 'made ready');
  const virtual = [begin(lock, 'reset', 'none'), begin(lock, 'opened', 'none')];
  const reset = begin(lock, 'reset');
  await settled();
  for (const { signal } of [...virtual, reset]) t.ok(signal());
});

t.test('closing wakes everybody, tells the drivers, and lets nothing begin', async (t) => {
  const clock = new FakeClock();
  const lock = new DeviceLock(clock);
  const running = [begin(lock, 'made ready'), begin(lock, 'opened', other)];
  const waiting = begin(lock, 'opened');
  await settled();
  lock.close();
  for (const { result, signal } of running) {
    await t.rejects(result, { name: 'DeviceFault', kind: 'unreachable' });
    t.equal(signal()?.aborted, true);
  }
  for (const { work } of running) work.resolve('late');
  await t.rejects(waiting.result, { name: 'DeviceFault', kind: 'unreachable' });
  await t.rejects(begin(lock, 'reset').result, { name: 'DeviceFault', kind: 'unreachable' });
});
