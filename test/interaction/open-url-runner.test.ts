import type { OpenUrlResult } from '@runcloud/protocol';
import { ERRORS, type Platform } from '@runcloud/protocol/terms';
import t from 'tap';
import { DeviceFault, type DeviceFaultKind } from '../../server/device/fault.ts';
import { OPEN_URL_ENDINGS, OpenUrlRunner } from '../../server/interaction/open-url-runner.ts';
import { settled } from '../support/fake-clock.ts';
import { openArena, tap, Witness } from '../support/interaction-arena.ts';

const LEASE = { device: 'dev_1', leaseId: 'lse_1' };

async function openUrls(platform: Platform = 'ios') {
  const arena = await openArena();
  const accept = async (requestId: string, url = `shop:${requestId}`, timeoutMs = 15_000) => {
    const witness = new Witness();
    const result: OpenUrlResult = { ok: true, platform, sessionId: 'ses_test', ...LEASE, url };
    arena.interactions.accept(
      {
        requestId,
        action: 'open-url',
        body: { url },
        timeoutMs,
        endings: OPEN_URL_ENDINGS,
        lease: LEASE,
        createRunner: (device, next) => new OpenUrlRunner(device, result, next),
      },
      witness,
    );
    await settled();
    return witness;
  };
  return { ...arena, accept };
}

t.test('the result is exactly the six fields once the device has taken the URL, and not before', async (t) => {
  const { accept, scripted } = await openUrls();
  scripted.patient = true;
  const witness = await accept('one', 'Shop:%41 $(x)');
  t.equal(witness.status, undefined);
  t.equal(scripted.lastOpenUrl.url, 'Shop:%41 $(x)', 'text is handed on as it is');
  scripted.lastOpenUrl.answer({ handler: 'com.example.shop' });
  await settled();
  const { acknowledgement } = witness;
  t.match(acknowledgement, { ok: true, status: 'completed', action: 'open-url', requestId: 'one' });
  t.strictSame(acknowledgement.result, {
    ok: true,
    platform: 'ios',
    sessionId: 'ses_test',
    ...LEASE,
    url: 'Shop:%41 $(x)',
  });
  t.notOk('leaseId' in acknowledgement, 'a success says it in its result alone');
});

t.test('it keeps its place among taps', async (t) => {
  const { accept, submit, scripted } = await openUrls();
  scripted.patient = true;
  await submit(tap('before'));
  await accept('url');
  await submit(tap('after'));
  t.strictSame(scripted.arrivals, ['before']);
  scripted.lastPerform.answer({});
  await settled();
  t.strictSame(scripted.arrivals, ['before', 'shop:url']);
  scripted.lastOpenUrl.answer({ handler: 'app' });
  await settled();
  t.strictSame(scripted.arrivals, ['before', 'shop:url', 'after']);
  t.ok(scripted.lastOpenUrl.context.inputSeq < scripted.lastPerform.context.inputSeq);
});

t.test('the same id and URL again opens nothing twice, and another URL is refused', async (t) => {
  const { accept, scripted } = await openUrls();
  scripted.patient = true;
  const first = await accept('one');
  const joined = await accept('one');
  scripted.lastOpenUrl.answer({ handler: 'app' });
  await settled();
  const replayed = await accept('one');
  t.strictSame(joined.acknowledgement, first.acknowledgement);
  t.strictSame(replayed.acknowledgement, first.acknowledgement);
  t.equal(scripted.openedUrls.length, 1);
  await t.rejects(accept('one', 'shop:other'), { code: 'duplicate_request' });
});

t.test('a queued request is cancelled at once, a running one when the device has stopped', async (t) => {
  const { accept, interactions, scripted } = await openUrls();
  scripted.patient = true;
  scripted.stubborn = true;
  const running = await accept('running');
  const waiting = await accept('waiting');
  t.equal(interactions.cancel('waiting'), true);
  t.match(waiting.acknowledgement, { status: 'cancelled', error: { code: 'interaction_cancelled' }, ...LEASE });
  interactions.cancel('running');
  await settled();
  t.equal(running.status, undefined);
  t.equal(scripted.lastOpenUrl.context.signal.aborted, true);
  scripted.lastOpenUrl.fail(new DeviceFault('aborted', 'ended'));
  await settled();
  t.match(running.acknowledgement, { status: 'cancelled', error: { code: 'interaction_cancelled' } });
  t.strictSame(scripted.arrivals, ['shop:running']);
});

t.test('its time covers the wait in the queue, and ends it with its own code', async (t) => {
  const { accept, submit, clock, scripted } = await openUrls();
  scripted.patient = true;
  await submit(tap('before', 0.5, 60_000));
  const waiting = await accept('waiting');
  await clock.advance(14_999);
  t.equal(waiting.status, undefined);
  await clock.advance(2);
  t.match(waiting.acknowledgement, {
    ok: false,
    status: 'timed_out',
    error: { code: 'open_url_timeout', retryable: true },
  });
  t.strictSame(scripted.arrivals, ['before'], 'nothing reached the device');
});

t.test('a device that does not answer in time is told to stop', async (t) => {
  const { accept, clock, scripted } = await openUrls();
  scripted.patient = true;
  const witness = await accept('one', 'shop:one', 100);
  await clock.advance(101);
  t.equal(scripted.lastOpenUrl.context.signal.aborted, true);
  t.match(witness.acknowledgement, { status: 'timed_out', error: { code: 'open_url_timeout' }, ...LEASE });
});

const CODES: readonly (readonly [kind: DeviceFaultKind, ios: keyof typeof ERRORS, android: keyof typeof ERRORS])[] = [
  ['unhandled', 'ios_url_handler_not_found', 'android_url_handler_not_found'],
  ['failed', 'ios_open_url_failed', 'android_open_url_failed'],
  ['unavailable', 'simulator_unavailable', 'simulator_unavailable'],
  ['unreachable', 'open_url_transport_error', 'open_url_transport_error'],
  ['nonsense', 'open_url_invalid_response', 'open_url_invalid_response'],
  ['aborted', 'open_url_failed', 'open_url_failed'],
];

for (const [kind, ...codes] of CODES) {
  for (const [index, platform] of (['ios', 'android'] as const).entries()) {
    t.test(`${platform}: a device that fails with "${kind}" is told as ${codes[index]}, with its lease`, async (t) => {
      const { accept, scripted } = await openUrls(platform);
      scripted.patient = true;
      const witness = await accept('one');
      scripted.lastOpenUrl.fail(new DeviceFault(kind, 'The device says why.'));
      await settled();
      const code = codes[index] ?? 'internal_error';
      const { retryable } = ERRORS[code];
      t.match(witness.acknowledgement, { ok: false, status: 'failed', ...LEASE });
      t.match(witness.acknowledgement.error, { code, retryable, message: 'The device says why.' });
      t.notOk('result' in witness.acknowledgement);
    });
  }
}

t.test('a driver that does not say which app took the URL has proved nothing', async (t) => {
  for (const answer of [undefined, null, {}, { handler: '' }, { handler: 1 }, 'app'] as unknown[]) {
    const { accept, scripted } = await openUrls();
    scripted.patient = true;
    const witness = await accept('one');
    scripted.lastOpenUrl.answer(answer as { handler: string });
    await settled();
    t.match(
      witness.acknowledgement,
      { ok: false, error: { code: 'open_url_invalid_response' } },
      JSON.stringify(answer),
    );
  }
});

t.test('when the session ends, what waits and what runs is told so, and what comes later as well', async (t) => {
  const { accept, interactions, scripted } = await openUrls();
  scripted.patient = true;
  const running = await accept('running');
  const waiting = await accept('waiting');
  const ended = interactions.end();
  await settled();
  await ended;
  for (const witness of [running, waiting]) {
    t.match(witness.acknowledgement, {
      status: 'failed',
      error: { code: 'simulator_session_ended', retryable: false },
    });
  }
  await t.rejects(accept('late'), { code: 'simulator_session_ended' });
});

t.test('a lost host that takes the session along is told as the end of the session', async (t) => {
  const { accept, interactions, scripted } = await openUrls();
  scripted.patient = true;
  scripted.stubborn = true;
  const running = await accept('running');
  void interactions.end();
  scripted.lastOpenUrl.fail(new DeviceFault('unreachable', 'gone'));
  await settled();
  t.match(running.acknowledgement, { error: { code: 'simulator_session_ended' } });
});
