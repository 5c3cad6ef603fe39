import t from 'tap';
import { ACME, FakeSocket, openSessions, type SessionArena } from '../support/session-arena.ts';

const statusOf = ({ registry }: SessionArena, id: string) => {
  const { status, releaseReason } = registry.read(ACME, id);
  return releaseReason === undefined ? status : `${status} ${releaseReason}`;
};

const EXPIRED = 'expired inactivity_timeout';

async function open(t: Parameters<typeof openSessions>[0], body: object = { inactivityTimeout: '90s' }) {
  const arena = openSessions(t);
  const { record } = await arena.create(body);
  const story: string[] = [];
  return { arena, id: record.id, session: arena.live(record.id), clock: arena.clock, story };
}

t.test('a session that nobody uses ends at its inactivity timeout, and its device is free', async (t) => {
  const { arena, id, clock } = await open(t);
  await clock.advance(89_999);
  t.equal(statusOf(arena, id), 'active');
  await clock.advance(1);
  t.equal(statusOf(arena, id), EXPIRED);
  t.strictSame(arena.lastDevice.housekeeping, ['releaseAll', 'close']);
  t.equal(clock.waiting, 0);
});

t.test('each use starts the time anew', async (t) => {
  const { arena, id, session, clock } = await open(t);
  for (let times = 0; times < 20; times++) {
    await clock.advance(80_000);
    session.touch();
  }
  await clock.advance(89_999);
  t.equal(statusOf(arena, id), 'active');
  t.equal(arena.registry.read(ACME, id).expiresAt, new Date(clock.wallMs() + 1).toISOString());
  await clock.advance(1);
  t.equal(statusOf(arena, id), EXPIRED);
});

t.test('a controlling socket counts as use up to its end; a viewing one does not', async (t) => {
  const { arena, id, session, clock, story } = await open(t);
  const [control, view] = [new FakeSocket('control', story), new FakeSocket('view', story)];
  session.connect(control);
  session.connect(view);
  await clock.advance(1_000_000);
  t.equal(statusOf(arena, id), 'active');
  session.disconnect(control);
  session.disconnect(control);
  await clock.advance(89_999);
  t.equal(statusOf(arena, id), 'active');
  await clock.advance(1);
  t.equal(statusOf(arena, id), EXPIRED);
});

t.test('a viewing socket that leaves does not give more time', async (t) => {
  const { arena, id, session, clock, story } = await open(t);
  const view = new FakeSocket('view', story);
  session.connect(view);
  await clock.advance(60_000);
  session.disconnect(view);
  await clock.advance(30_000);
  t.equal(statusOf(arena, id), EXPIRED);
});

t.test('the hard timeout ends a session in use', async (t) => {
  const { arena, id, session, clock, story } = await open(t, { hardTimeout: '5m' });
  session.connect(new FakeSocket('control', story));
  for (let second = 0; second < 299; second++) {
    await clock.advance(1_000);
    session.touch();
  }
  t.equal(statusOf(arena, id), 'active');
  await clock.advance(1_000);
  t.equal(statusOf(arena, id), 'expired hard_timeout');
  t.strictSame(story, ['session.expiring 60000', 'session.ended hard_timeout', 'closed 4404']);
});

t.test('sockets are told a minute ahead, once, and again when use has put it off', async (t) => {
  const { session, clock, story } = await open(t, { inactivityTimeout: '10m' });
  session.connect(new FakeSocket('view', story));
  await clock.advance(539_999);
  t.strictSame(story, []);
  await clock.advance(1);
  t.strictSame(story, ['session.expiring 60000']);
  await clock.advance(50_000);
  session.touch();
  await clock.advance(530_000);
  t.equal(story.length, 1);
  await clock.advance(70_000);
  t.strictSame(story.slice(1), ['session.expiring 60000', 'session.ended inactivity_timeout', 'closed 4404']);
});

t.test('a short inactivity timeout is announced half-way', async (t) => {
  const { session, clock, story } = await open(t, { inactivityTimeout: '30s' });
  session.connect(new FakeSocket('view', story));
  await clock.advance(30_000);
  t.strictSame(story, ['session.expiring 15000', 'session.ended inactivity_timeout', 'closed 4404']);
});

t.test('the wall clock has no part in it', async (t) => {
  const { arena, id, clock } = await open(t);
  clock.jumpWall(86_400_000);
  await clock.advance(89_999);
  t.equal(statusOf(arena, id), 'active');
  clock.jumpWall(-2 * 86_400_000);
  await clock.advance(1);
  t.equal(statusOf(arena, id), EXPIRED);
});

t.test('after a pause of the thread a session that is overdue ends at once', async (t) => {
  const { arena, id, clock } = await open(t, { hardTimeout: '1m' });
  await clock.pause(3_600_000);
  t.equal(statusOf(arena, id), 'expired hard_timeout');
});
