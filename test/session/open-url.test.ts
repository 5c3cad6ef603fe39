import t from 'tap';
import type { LiveSession } from '../../server/session/live-session.ts';
import { openUrl } from '../../server/session/open-url.ts';
import { settled } from '../support/fake-clock.ts';
import { Witness } from '../support/interaction-arena.ts';
import { ACME, OTHER, openSessions } from '../support/session-arena.ts';

async function open(session: LiveSession, url: string, requestId = 'u-1') {
  const witness = new Witness();
  openUrl(session, { requestId, url }, witness);
  await settled();
  return witness;
}

t.test('it answers with the lease and the device of the session, and the very URL', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const { acknowledgement } = await open(arena.live(record.id), 'SHOP:%41');
  t.strictSame(acknowledgement.result, {
    ok: true,
    platform: 'ios',
    sessionId: record.id,
    device: record.device.id,
    leaseId: record.leaseId,
    url: 'SHOP:%41',
  });
  t.strictSame(arena.lastDevice.arrivals, ['SHOP:%41']);
});

t.test('a bad URL is refused before anything else happens, whether the lease permits opening one or not', async (t) => {
  const arena = openSessions(t);
  for (const platform of ['ios', 'android'] as const) {
    const { record } = await arena.create({ platform });
    await t.rejects(open(arena.live(record.id), 'file:///etc/passwd'), {
      code: 'invalid_url',
      message: /^"url" has the scheme/,
    });
    t.strictSame(arena.lastDevice.arrivals, []);
  }
});

t.test('a lease whose scope leaves URLs out refuses every one', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create({ platform: 'android' });
  await t.rejects(open(arena.live(record.id), 'https://example.com/'), { code: 'open_url_scope_required', http: 403 });
  t.strictSame(arena.lastDevice.arrivals, []);
});

t.test('it counts as activity, and a refused one does not', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create({ inactivityTimeout: '60s' });
  const session = arena.live(record.id);
  await arena.clock.advance(50_000);
  await open(session, 'https://example.com/');
  t.equal(session.remaining.ms, 60_000);
  await arena.clock.advance(20_000);
  await t.rejects(open(session, 'nonsense'));
  t.equal(session.remaining.ms, 40_000);
});

t.test(
  'a session whose hard timeout has just passed has lost its lease, though it is not taken down yet',
  async (t) => {
    const arena = openSessions(t);
    const { record } = await arena.create({ hardTimeout: '1m' });
    const session = arena.live(record.id);
    arena.lastDevice.patient = true;
    arena.lastDevice.stubborn = true;
    await arena.clock.advance(60_000);
    await t.rejects(open(session, 'https://example.com/'), { code: 'simulator_session_ended', http: 410 });
  },
);

t.test('an ended lease is told from a session that never was', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const leased = (owner = ACME, platform: 'ios' | 'android' = 'ios', id = record.id) =>
    arena.registry.leased(owner, platform, id);
  const lease = { deviceId: record.device.id, leaseId: record.leaseId };
  t.match(leased(), { ...lease, session: { status: 'active' } });

  const unknown = { code: 'active_session_not_found' };
  t.throws(() => leased(OTHER), unknown);
  t.throws(() => leased(ACME, 'android'), unknown);
  t.throws(() => leased(ACME, 'ios', 'ses_unknown'), unknown);

  arena.lastDevice.patient = true;
  arena.lastDevice.stubborn = true;
  await open(arena.live(record.id), 'https://example.com/');
  const released = arena.registry.release(ACME, record.id);
  await settled();
  t.strictSame(leased(), { ...lease, session: undefined }, 'being released');
  t.throws(() => leased(OTHER), unknown);
  arena.lastDevice.lastOpenUrl.answer({ handler: 'app' });
  await released;
  t.throws(() => leased(), unknown, 'released');
});

t.test('a session whose device was lost has an ended lease for good; one that expired is not found', async (t) => {
  const arena = openSessions(t);
  const { record: lost } = await arena.create();
  arena.lastDevice.lose('it fell down');
  await settled();
  t.equal(arena.registry.read(ACME, lost.id).status, 'failed');
  t.strictSame(arena.registry.leased(ACME, 'ios', lost.id), {
    deviceId: lost.device.id,
    leaseId: lost.leaseId,
    session: undefined,
  });
  t.throws(() => arena.registry.leased(OTHER, 'ios', lost.id), { code: 'active_session_not_found' });
  t.throws(() => arena.registry.leased(ACME, 'android', lost.id), { code: 'active_session_not_found' });

  const { record: idle } = await arena.create({ inactivityTimeout: '30s' });
  await arena.clock.advance(31_000);
  t.equal(arena.registry.read(ACME, idle.id).status, 'expired');
  t.throws(() => arena.registry.leased(ACME, 'ios', idle.id), { code: 'active_session_not_found' });
});

t.test('a device that is lost while it opens a URL ends that with the session', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  arena.lastDevice.patient = true;
  arena.lastDevice.stubborn = true;
  const witness = await open(arena.live(record.id), 'https://example.com/');
  arena.lastDevice.lose('it fell down');
  await settled();
  t.match(witness.acknowledgement, { error: { code: 'simulator_session_ended' }, leaseId: record.leaseId });
});
