import t from 'tap';
import { accessClipboard } from '../../server/session/clipboard.ts';
import type { LiveSession } from '../../server/session/live-session.ts';
import { settled } from '../support/fake-clock.ts';
import { Witness } from '../support/interaction-arena.ts';
import { ScriptedDevice } from '../support/scripted-device.ts';
import { openSessions } from '../support/session-arena.ts';

async function use(session: LiveSession, text?: string) {
  const witness = new Witness();
  accessClipboard(session, { requestId: 'c-1', ...(text === undefined ? {} : { text }) }, witness);
  await settled();
  return witness.acknowledgement;
}

t.test('a text is written and read back, and read alone', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  t.match(await use(session, 'written'), { ok: true, action: 'clipboard.set', result: { text: 'written' } });
  t.match(await use(session, ''), { ok: true, action: 'clipboard.set', result: { text: '' } });
  arena.lastDevice.held = 'copied';
  t.match(await use(session), { ok: true, action: 'clipboard.get', result: { text: 'copied' } });
  t.strictSame(arena.lastDevice.arrivals, ['write written', 'read', 'write ', 'read', 'read']);
});

t.test('what UTF-8 cannot carry and what is too long is refused, and the device is not asked', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800', `${'😀'.repeat(10_000)}a`]) {
    await t.rejects(use(session, text), {
      code: 'invalid_request',
      message: /^"text" must be 0 to 10000 Unicode characters, without lone surrogates/,
    });
  }
  t.strictSame(arena.lastDevice.arrivals, []);
  t.match(await use(session, '😀'.repeat(10_000)), { ok: true });
});

t.test('a device without a way to its clipboard is not asked', async (t) => {
  const arena = openSessions(t);
  arena.starting = async () => {
    const device = new ScriptedDevice();
    device.capabilities = { ...device.capabilities, clipboard: false };
    return device;
  };
  const { record } = await arena.create();
  const refusal = { code: 'unsupported_action', http: 422, message: 'The clipboard is not supported by this device.' };
  for (const text of [undefined, 'text']) await t.rejects(use(arena.live(record.id), text), refusal);
  t.strictSame(arena.lastDevice.arrivals, []);
});

t.test('it counts as activity, and a refused one does not', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create({ inactivityTimeout: '60s' });
  const session = arena.live(record.id);
  await arena.clock.advance(50_000);
  await use(session);
  t.equal(session.remaining.ms, 60_000);
  await arena.clock.advance(20_000);
  await t.rejects(use(session, '\ud800'));
  t.equal(session.remaining.ms, 40_000);
});

t.test('a session that asks all the time is held to a rate', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  for (let calls = 0; calls < 200; calls++) await use(session);
  await t.rejects(use(session), { code: 'rate_limited', retryAfterSeconds: 1 });
  t.equal(arena.lastDevice.arrivals.length, 200);
  await arena.clock.advance(1_000);
  for (let calls = 0; calls < 100; calls++) await use(session);
  await t.rejects(use(session, 'text'), { code: 'rate_limited' });
});
