import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { untilSeen } from '../support/device-slices.ts';
import { ServeSimStandIn } from '../support/ios/serve-sim-stand-in.ts';
import { standInService } from '../support/ios/stand-in-service.ts';
import type { XcrunAnswer } from '../support/ios/xcrun-answer.ts';
import { whyUnplayable } from '../support/recording-of-a-lost-device.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';

const service = await standInService(t);
const { mac, server, session, ended, guestOf } = service;
const { rest } = server;

const TAP = { action: 'tap', x: 0.5, y: 0.5 };
const URL = 'https://a.example/';

const openUrl = async ({ id }: SessionRecord) => {
  const { status, body } = await rest.call('POST', `/service/ios/${id}/open-url`, { url: URL });
  return [status, body.error?.code ?? 'opened'];
};

const screenshot = async ({ id }: SessionRecord) => {
  const response = await rest.fetch(`/service/ios/${id}/screenshot`);
  const said = response.status === 200 ? '' : ((await response.json()) as { error: { code: string } }).error.code;
  return [response.status, said];
};

/** Sets the answers of `simctl` to one command; each is given once, the last one repeatedly. */
function say(command: string, ...answers: readonly (XcrunAnswer | 'hang' | undefined)[]): void {
  const left = [...answers];
  mac.override = (args) => (args[1] === command ? (left.length > 1 ? left.shift() : left[0]) : undefined);
}

const failure = (code: number, line: string, domain = 'X') => ({
  exitCode: code,
  stderr: `An error was encountered processing the command (domain=${domain}, code=${code}):\n${line}\n`,
});

function helper(): ServeSimStandIn {
  const newest = mac.helpers.at(-1);
  if (!(newest instanceof ServeSimStandIn)) throw new Error('no serve-sim runs');
  return newest;
}

/** A tap that has to be seen by the guest. */
async function isWell(created: SessionRecord): Promise<boolean> {
  const { length } = guestOf(created).arrivals;
  const { body } = await rest.interact(created, TAP);
  return body.status === 'completed' && guestOf(created).arrivals.length >= length + 2;
}

const first = await session();

t.test('each way in which a simulator does not open a URL ends in its own code', async (t) => {
  const transient = failure(115, 'Simulator device failed to open.', 'LSApplicationWorkspaceErrorDomain');
  const cases: readonly (readonly [readonly (XcrunAnswer | undefined)[], readonly [number, string], string])[] = [
    [[transient], [422, 'ios_url_handler_not_found'], 'exit code 115, three times'],
    [[transient, transient, undefined], [200, 'opened'], 'exit code 115 that passes'],
    [[failure(181, 'error', 'NSOSStatusErrorDomain'), undefined], [502, 'ios_open_url_failed'], 'any other code'],
    [
      [{ exitCode: 1, stderr: 'NSOSStatusErrorDomain, code=-10814' }],
      [422, 'ios_url_handler_not_found'],
      'older words',
    ],
    [[failure(149, 'Unable to lookup in current state: Shutdown')], [503, 'simulator_unavailable'], 'exit code 149'],
    [[failure(1, 'FBSOpenApplicationServiceErrorDomain, code=1')], [502, 'ios_open_url_failed'], 'refused by the app'],
    [[{ exitCode: 70, stderr: '' }], [502, 'ios_open_url_failed'], 'nothing said'],
    [[{ zeroBytes: 6_000_000 }], [502, 'open_url_invalid_response'], 'endless output'],
  ];
  for (const [answers, expected, why] of cases) {
    say('openurl', ...answers);
    t.same(await openUrl(first), expected, why);
  }
  mac.override = () => undefined;
  t.same(await openUrl(first), [200, 'opened']);
});

t.test('a command that hangs is given up with its request, and its program is gone', async (t) => {
  say('spawn', 'hang');
  // Questions about its health come in between.
  const spawned = () => mac.calls.filter(([, , verb]) => verb === 'spawn').length;
  const before = spawned();
  const { body } = await rest.interact(first, { action: 'reload', timeoutMs: 4_000 });
  t.match(body, { status: 'timed_out', error: { code: 'interaction_timeout', retryable: true } });
  t.equal(spawned(), before + 1);
  // Only the helper keeps running.
  for (let tries = 0; tries < 600 && mac.running > 1; tries++) await sleep(50);
  t.equal(mac.running, 1);
  say('spawn', { zeroBytes: 6_000_000 });
  t.match((await rest.interact(first, { action: 'reload' })).body.error, { code: 'interaction_invalid_response' });
  say('spawn', { exitCode: 70, stderr: 'Bad request.\nCould not find domain\n' });
  t.match((await rest.interact(first, { action: 'reload' })).body.error, { code: 'interaction_failed' });
  mac.override = () => undefined;
  t.ok(await isWell(first));
});

t.test('screenshots that are garbage, half of one, of another size or endless are told as such', async (t) => {
  const whole = Buffer.from(await rest.screenshot(first));
  const other = await sharp({ create: { width: 591, height: 1_280, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const wrong: Readonly<Record<string, XcrunAnswer>> = {
    half: { stdout: whole.subarray(0, whole.length / 2) },
    garbage: { stdout: Buffer.from('garbage') },
    nothing: {},
    'of another size': { stdout: other },
    endless: { zeroBytes: 36_000_000 },
  };
  for (const [why, answer] of Object.entries(wrong)) {
    say('io', answer);
    t.same(await screenshot(first), [502, 'screenshot_invalid_response'], why);
  }
  say('io', failure(149, 'Unable to lookup in current state: Shutdown'));
  t.same(await screenshot(first), [502, 'screenshot_transport_error']);
  say('io', failure(2, 'Error creating the image'));
  t.same(await screenshot(first), [500, 'screenshot_failed']);
  mac.override = () => undefined;
  t.same(await screenshot(first), [200, '']);
});

t.test('a finger goes on where it began when the guest turns under it', async (t) => {
  const guest = guestOf(first);
  guest.arrivals.length = 0;
  const at = (x: number) => [{ x, y: 0.25 }];
  const steps = [
    { phase: 'begin', points: at(0.25), delayMs: 300 },
    { phase: 'move', points: at(0.5), delayMs: 100 },
    { phase: 'end', points: at(0.5) },
  ];
  const running = rest.interact(first, { action: 'gesture', steps });
  while (guest.arrivals.length === 0) await sleep(10);
  guest.phone.rotate('landscape_left', 0);
  t.equal((await running).body.status, 'completed');
  const seen = guest.arrivals.map(({ detail }) => detail as { type: string; points: { x: number }[] });
  t.same(
    seen.map(({ type, points: [point] }) => [type, Math.floor((point?.x ?? 0) * 590)]),
    [
      ['begin', 147],
      ['move', 295],
      ['end', 295],
    ],
  );
  guest.phone.rotate('portrait', 0);
});

t.test('a video that breaks off in the middle of a picture goes on, and nobody is told', async (t) => {
  const stand = helper();
  stand.breaksOff = true;
  t.ok(await isWell(first));
  while (stand.breaksOff) {
    await rest.interact(first, { action: 'pressButton', button: 'volumeUp' });
    await sleep(20);
  }
  for (let tries = 0; tries < 600 && stand.viewers === 0; tries++) await sleep(50);
  t.equal(stand.viewers, 1, 'it is listened to again');
  t.ok(await isWell(first));
});

t.test('a helper that is killed in the middle of a hold fails it, ends the session and its recording', async (t) => {
  const client = await ControlClient.connect(server.url, first, rest.authorization);
  const { body: recording } = await rest.call<{ id: string }>('POST', `/service/ios/${first.id}/recordings`);
  const swipe = { action: 'swipe', from: { x: 0.2, y: 0.5 }, to: { x: 0.8, y: 0.5 }, durationMs: 300 };
  const watcher = await ScreenWatcher.connect(server.url, first, rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  t.equal((await rest.interact(first, swipe)).body.status, 'completed');
  // A recorder would get the same packets: the stream has more than one sink.
  await untilSeen(watcher, helper().scheduler);
  watcher.close();
  client.send({
    type: 'interaction',
    requestId: 'held',
    action: 'pressKey',
    key: 'a',
    durationMs: 20_000,
    timeoutMs: 30_000,
  });
  while (guestOf(first).inspect().heldKeys.length === 0) await sleep(10);
  helper().kill();
  const result = await client.result('held');
  t.match(result, { status: 'failed', error: { code: /interaction_transport_error|active_session_not_found/ } });
  t.match(await ended(first), { status: 'failed', releaseReason: 'device_lost' });
  t.equal((await client.closed).code, 4404);
  t.equal((await rest.interact(first, TAP)).body.error?.code, 'active_session_not_found');
  t.same(await openUrl(first), [410, 'simulator_session_ended']);
  t.equal(await whyUnplayable(rest, first, recording.id, t.testdir()), '', 'what was shown until then can be played');
});

t.test('a helper that hangs fails the input that it does not take, in time', async (t) => {
  const second = await session();
  t.ok(await isWell(second), 'the slot has healed');
  helper().hangs = true;
  const { body, status } = await rest.interact(second, TAP);
  t.match([status, body.error], [502, { code: 'interaction_transport_error' }]);
  t.ok(body.durationMs < 12_000, `${body.durationMs} ms`);
  helper().hangs = false;
  t.ok(await isWell(second), 'a helper that comes back is used again');

  helper().garble = (bytes) => Buffer.alloc(bytes.length, 0xff);
  await rest.interact(second, { action: 'pressButton', button: 'power' });
  t.match(await ended(second), { status: 'failed', releaseReason: 'device_lost' }, 'garbage is no screen');
});

t.test('nothing is left: no program, no simulator', async (t) => {
  await rest.releaseSession((await session()).id);
  await server.close();
  const left = () => [mac.running, ...mac.made.map(({ name }) => name)];
  for (let tries = 0; tries < 600 && left().length + mac.running > 1; tries++) await sleep(50);
  t.same(left(), [0]);
});
