import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { Bearer } from '../../server/flow/quota.ts';
import { takeScreenshot } from '../../server/session/screenshot.ts';
import { KEY, SESSION_LINK, viewerLink } from '../support/bearers.ts';
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

t.test("links that ask and ask leave room for keys, for the session's own link, and for one another", async (t) => {
  const arena = openSessions(t);
  const session = arena.live((await arena.create()).record.id);
  const held = deferred<void>();
  const capture = arena.lastDevice.capture.bind(arena.lastDevice);
  arena.lastDevice.capture = async () => {
    await held.promise;
    return capture();
  };
  const { pendingScreenshots: most, pendingScreenshotsForKeys: forKeys, pendingScreenshotsPerLink: each } = LIMITS;
  const all: Promise<unknown>[] = [];
  const ask = (bearer: Bearer, times: number) => {
    for (let time = 0; time < times; time++) all.push(takeScreenshot(session, { bearer }));
  };
  const links = (most - forKeys - LIMITS.pendingScreenshotsKeptForSessionLink) / each;
  for (let link = 0; link < links; link++) {
    ask(viewerLink(`${link}`), each);
    await t.rejects(takeScreenshot(session, { bearer: viewerLink(`${link}`) }), {
      code: 'rate_limited',
      message: /^This link has 8 waiting screenshots, as many as one link may have/,
      retryAfterSeconds: 1,
    });
  }
  await t.rejects(takeScreenshot(session, { bearer: viewerLink('late') }), {
    code: 'rate_limited',
    message: /^The session has no more waiting screenshots for links/,
  });
  ask(SESSION_LINK, each);
  await t.rejects(takeScreenshot(session, { bearer: SESSION_LINK }), { code: 'rate_limited' });
  ask(KEY, forKeys);
  held.resolve();
  await settled();
  await arena.clock.advance(250);
  t.equal((await Promise.all(all)).length, most);
});

t.test(
  'links share one capture of a quarter of a second, the first at once, and keys do not wait for it',
  async (t) => {
    const arena = openSessions(t);
    const session = arena.live((await arena.create()).record.id);
    const device = arena.lastDevice;
    const capture = device.capture.bind(device);
    let captures = 0;
    device.capture = () => {
      captures++;
      return capture();
    };
    await takeScreenshot(session, { bearer: viewerLink('a') });
    t.equal(captures, 1);
    let taken = 0;
    const later = ['a', 'a', 'b', 'c'].map((link) =>
      takeScreenshot(session, { bearer: viewerLink(link) }).then(() => taken++),
    );
    await takeScreenshot(session, { bearer: KEY });
    await takeScreenshot(session, { bearer: KEY });
    t.same([captures, taken], [3, 0]);
    await arena.clock.advance(249);
    t.equal(taken, 0);
    await arena.clock.advance(1);
    await Promise.all(later);
    t.same([captures, taken], [4, 4]);
  },
);

t.test(
  'a link that asks for more screenshots a second than it may is told to wait, and its owner is not',
  async (t) => {
    const arena = openSessions(t);
    const session = arena.live((await arena.create()).record.id);
    const refusals: unknown[] = [];
    while (refusals.length === 0) {
      const together = Array.from({ length: LIMITS.pendingScreenshotsPerLink / 2 }, () =>
        takeScreenshot(session, { bearer: viewerLink('one') }).catch((error) => refusals.push(error)),
      );
      await takeScreenshot(session, { bearer: KEY });
      await arena.clock.advance(250);
      await Promise.all(together);
    }
    t.match(refusals[0], {
      code: 'rate_limited',
      message: /^This link asks for more than 10 screenshots a second/,
      retryAfterSeconds: 1,
    });
    await t.resolves(takeScreenshot(session, { bearer: KEY }));
    const other = takeScreenshot(session, { bearer: viewerLink('two') });
    await arena.clock.advance(250);
    await t.resolves(other);
  },
);
