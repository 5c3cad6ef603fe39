import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { takeScreenshot } from '../../server/session/screenshot.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';
import { openSessions } from '../support/session-arena.ts';

t.test('callers during a screenshot share the next one, and too many are refused with a time to wait', async (t) => {
  const arena = openSessions(t);
  const session = arena.live((await arena.create()).record.id);
  const device = arena.lastDevice;
  const held = deferred<void>();
  const capture = device.capture.bind(device);
  let captures = 0;
  device.capture = async () => {
    captures++;
    await held.promise;
    return capture();
  };
  const all = Array.from({ length: LIMITS.pendingScreenshots }, () => takeScreenshot(session));
  await settled();
  await t.rejects(takeScreenshot(session), { code: 'rate_limited', retryAfterSeconds: 1 });
  t.equal(captures, 1, 'one is on its way');
  held.resolve();
  const taken = await Promise.all(all);
  t.equal(captures, 2, 'all the others share the next one');
  t.equal(new Set(taken).size, 2);
  await t.resolves(takeScreenshot(session), 'there is room again');
});

t.test('a failed screenshot fails for all callers that share it, and the next one is a new attempt', async (t) => {
  const arena = openSessions(t);
  const session = arena.live((await arena.create()).record.id);
  const device = arena.lastDevice;
  const capture = device.capture.bind(device);
  device.capture = async () => {
    throw new Error('no picture');
  };
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => takeScreenshot(session)));
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  device.capture = capture;
  await t.resolves(takeScreenshot(session));
});

t.test('guests that ask and ask leave room for those who control', async (t) => {
  const arena = openSessions(t);
  const session = arena.live((await arena.create()).record.id);
  const held = deferred<void>();
  const capture = arena.lastDevice.capture.bind(arena.lastDevice);
  arena.lastDevice.capture = async () => {
    await held.promise;
    return capture();
  };
  const { pendingScreenshots: most, pendingScreenshotsForControl: reserved } = LIMITS;
  const all = Array.from({ length: most - reserved }, () => takeScreenshot(session, { guest: true }));
  await settled();
  await t.rejects(takeScreenshot(session, { guest: true }), { code: 'rate_limited' });
  for (let index = 0; index < reserved; index++) all.push(takeScreenshot(session));
  held.resolve();
  t.equal((await Promise.all(all)).length, most);
});
