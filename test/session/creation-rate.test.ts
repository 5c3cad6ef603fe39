import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { RateLimiters } from '../../server/account/rate-limiters.ts';
import { ACME, OTHER, openSessions } from '../support/session-arena.ts';

const { sessionCreationsAtOnce, sessionCreationsPerSecond } = LIMITS;

t.test(
  'an account creates so many sessions at once and so many a second; who waits for a device takes nothing',
  async (t) => {
    const arena = openSessions(t);
    const { registry, create, clock } = arena;
    arena.creations = new RateLimiters(sessionCreationsPerSecond, clock, sessionCreationsAtOnce);
    const createAndRelease = async () => registry.release(ACME, (await create()).record.id);
    const held = await create();
    const second = await create();
    for (let n = 0; n < 200; n++) await t.rejects(create(), { code: 'simulator_capacity_unavailable' });
    await registry.release(ACME, held.record.id);
    await registry.release(ACME, second.record.id);
    for (let n = 2; n < sessionCreationsAtOnce; n++) await createAndRelease();
    const refused = { code: 'rate_limited', retryAfterSeconds: 1 };
    await t.rejects(create(), refused);
    await t.rejects(create(), refused);
    const others = await Promise.all([create({}, undefined, OTHER), create({}, undefined, OTHER)]);
    t.equal(others.length, 2, 'a refusal keeps no device, and no other account from one');
    for (const { record } of others) await registry.release(OTHER, record.id);
    await clock.advance(1_000);
    for (let n = 0; n < sessionCreationsPerSecond; n++) await createAndRelease();
    await t.rejects(create(), refused);
  },
);

t.test('a repeated idempotency key creates nothing, and is never too much', async (t) => {
  const arena = openSessions(t);
  arena.creations = new RateLimiters(1, arena.clock, 1);
  const { record } = await arena.create({}, 'key');
  for (let n = 0; n < 20; n++) t.equal((await arena.create({}, 'key')).record.id, record.id);
  await t.rejects(arena.create({}, 'another'), { code: 'rate_limited' });
  t.match(await arena.registry.release(ACME, record.id), { status: 'released' });
});

t.test('a creation that could not be written takes nothing: made again, it counts once', async (t) => {
  const arena = openSessions(t);
  arena.creations = new RateLimiters(1, arena.clock, 1);
  const { sessions } = arena.store;
  const { insert } = sessions;
  sessions.insert = () => {
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  };
  await t.rejects(arena.create(), { code: 'SQLITE_BUSY' });
  sessions.insert = insert;
  const { record } = await arena.create();
  await t.rejects(arena.create(), { code: 'rate_limited' });
  t.match(await arena.registry.release(ACME, record.id), { status: 'released' });
});
