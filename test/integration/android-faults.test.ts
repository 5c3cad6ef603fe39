import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import type { CommandAnswer } from '../support/android/guest-commands.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { type StandInService, standInService } from '../support/android/stand-in-service.ts';
import { openSockets } from '../support/open-sockets.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const tap = { action: 'tap', x: 0.5, y: 0.5 };
const STARTING = 'Starting: Intent { act=android.intent.action.VIEW }\n';

const openUrl = async ({ server }: StandInService, { id, platform }: SessionRecord, url = 'https://a.example/') =>
  (await server.rest.call('POST', `/service/${platform}/${id}/open-url`, { url })).body;

/** Answers one command with this from now on. */
const say = ({ emulator }: StandInService, command: string, answer: CommandAnswer | Promise<CommandAnswer>) => {
  emulator.system.override = (words) => (words.join(' ').startsWith(command) ? answer : undefined);
};

/** Whether the device soon has no command left that runs, but for what follows its log while the session goes on. */
async function nothingRuns(): Promise<boolean> {
  const running = () => emulator.adbd.runningCommands.filter((command) => !/^'?logcat\b/.test(command));
  for (let tries = 0; tries < 600 && running().length > 0; tries++) await sleep(50);
  return running().length === 0;
}

const service = hasAdb ? await standInService(t) : ({} as StandInService);
const { server, emulator, session: open } = service;

t.test('input that does not arrive is found out before anybody is told that it did', { skip }, async (t) => {
  emulator.system.override = undefined;
  await server.rest.releaseSession((await open()).id);
  emulator.guest.deaf = true;
  await t.rejects(open(), /simulator_unavailable.*Input does not arrive/);
  emulator.guest.deaf = false;
  const session = await open();
  t.teardown(() => server.rest.releaseSession(session.id));
  t.equal((await server.rest.interact(session, tap)).body.status, 'completed', 'the slot has healed');
});

t.test('opening a URL ends with the code of what the device said, in old and new words', { skip }, async (t) => {
  emulator.system.override = undefined;
  const session = await open();
  t.teardown(() => server.rest.releaseSession(session.id));
  const unresolved = 'Error: Activity not started, unable to resolve Intent { act=x }\n';
  const texts: readonly (readonly [CommandAnswer, string])[] = [
    [{ code: 1, out: STARTING + unresolved }, 'android_url_handler_not_found'],
    [{ code: 0, out: STARTING + unresolved }, 'android_url_handler_not_found'],
    [
      { code: 0, out: `${STARTING}Error type 3\nError: Activity class {a/b} does not exist.\n` },
      'android_open_url_failed',
    ],
    [{ code: 255, out: 'Security exception: Permission Denial\n' }, 'android_open_url_failed'],
    [{ code: 0, out: `${STARTING}Status: timeout\nActivity: com.a/.M\nComplete\n` }, 'android_open_url_failed'],
    [{ code: 0, out: '' }, 'android_open_url_failed'],
    [{ code: 137, out: 'Killed\n' }, 'android_open_url_failed'],
  ];
  for (const [answer, code] of texts) {
    say(service, 'am start', answer);
    t.match((await openUrl(service, session)).error, { code }, JSON.stringify(answer));
  }
  say(service, 'am start', {
    out: `${STARTING}Warning: Activity not started, its current task has been brought to the front\n`,
  });
  t.match(await openUrl(service, session), { ok: true }, 'brought to the front is opened');
  say(service, 'cmd package query', { out: 'x'.repeat(5_000_000) });
  t.match((await openUrl(service, session)).error, { code: 'open_url_invalid_response' });
});

t.test('a command that hangs is given up when its request is, and the next one is served', { skip }, async (t) => {
  emulator.system.override = undefined;
  const session = await open();
  t.teardown(() => server.rest.releaseSession(session.id));
  say(service, 'dumpsys', new Promise(() => undefined));
  const { body } = await server.rest.interact(session, { action: 'reload', timeoutMs: 700 });
  t.match(body, { status: 'timed_out', error: { code: 'interaction_timeout' } });
  t.ok(body.durationMs < 10_000, `it ended after ${body.durationMs} ms, and not when the command's own time was over`);
  emulator.system.override = undefined;
  t.equal((await server.rest.interact(session, { action: 'reload' })).body.status, 'completed');
  t.ok(await nothingRuns(), 'the command was ended on the device');
});

t.test('a command that never stops talking is cut off, on the device as well', { skip }, async (t) => {
  emulator.system.override = undefined;
  const session = await open();
  t.teardown(() => server.rest.releaseSession(session.id));
  say(service, 'dumpsys', { out: 'x'.repeat(100_000), endless: true });
  const { body, status } = await server.rest.interact(session, { action: 'simulateMemoryWarning' });
  t.match([status, body.error?.code], [502, 'interaction_invalid_response']);
  t.ok(body.durationMs < 15_000, `it ended after ${body.durationMs} ms`);
  emulator.system.override = undefined;
  t.equal((await server.rest.interact(session, { action: 'simulateMemoryWarning' })).body.status, 'completed');
  t.ok(await nothingRuns());
});

t.test('a control service that stops answering fails the interaction, not the server', { skip }, async (t) => {
  emulator.system.override = undefined;
  const session = await open();
  t.teardown(() => server.rest.releaseSession(session.id));
  const { control } = emulator;
  if (control) control.stuck = true;
  const late = (await server.rest.interact(session, { ...tap, timeoutMs: 200 })).body;
  t.match([late.status, late.error?.code], ['timed_out', 'interaction_timeout']);
  t.ok(late.durationMs < 4_000, `it ended after ${late.durationMs} ms`);
  const { body, status } = await server.rest.interact(session, tap);
  t.match([status, body.error?.code], [502, 'interaction_transport_error']);
  t.ok(body.durationMs < 12_000);
  if (control) control.stuck = false;
  t.equal((await server.rest.interact(session, tap)).body.status, 'completed');
});

t.test(
  'garbage, half pictures and wrong sizes are no pictures, and the good ones around them are',
  { skip },
  async (t) => {
    emulator.system.override = undefined;
    const session = await open();
    t.teardown(() => server.rest.releaseSession(session.id));
    const { control } = emulator;
    if (!control) return;
    const shot = async () => {
      const { platform, id } = session;
      const response = await server.rest.fetch(`/service/${platform}/${id}/screenshot`);
      return [
        response.status,
        response.status === 200 ? '' : ((await response.json()) as { error: { code: string } }).error.code,
      ];
    };
    const half = (image: unknown) => (image as Buffer).subarray(0, (image as Buffer).length / 2);
    const bad: ((image: Record<string, unknown>) => Record<string, unknown>)[] = [
      (whole) => ({ ...whole, image: Buffer.from('garbage') }),
      (whole) => ({ ...whole, image: half(whole.image) }),
      (whole) => ({ ...whole, format: { format: 1, width: 99_999, height: 99_999, rotation: { rotation: 0 } } }),
      (whole) => ({ ...whole, format: { format: 1, width: 541, height: 1_200, rotation: { rotation: 0 } } }),
      (whole) => ({ ...whole, format: null }),
      () => ({}),
    ];
    for (const corrupt of bad) {
      control.corrupt = corrupt;
      t.same(await shot(), [502, 'screenshot_invalid_response']);
      t.equal((await server.rest.interact(session, tap)).body.status, 'completed', 'input goes on');
    }
    control.corrupt = undefined;
    t.same(await shot(), [200, '']);
  },
);

t.test('a screen that turns under a finger does not tear it away', { skip }, async (t) => {
  emulator.system.override = undefined;
  const session = await open();
  t.teardown(() => server.rest.releaseSession(session.id));
  const { guest } = emulator;
  guest.reports.length = 0;
  const steps = [
    { phase: 'begin', points: [{ x: 0.2, y: 0.2 }], delayMs: 600 },
    { phase: 'move', points: [{ x: 0.3, y: 0.2 }], delayMs: 100 },
    { phase: 'end', points: [{ x: 0.3, y: 0.2 }] },
  ];
  const running = server.rest.interact(session, { action: 'gesture', steps });
  while (guest.reports.length === 0) await sleep(10);
  guest.turnTo(1);
  t.equal((await running).body.status, 'completed');
  t.same(
    guest.reports.map(({ fingers: [finger] }) => [finger?.x, finger?.y]),
    [
      [108, 240],
      [162, 240],
      [162, 240],
    ],
    'it goes on in the coordinates that it began in',
  );
  const told = async () =>
    (await server.rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body.orientation;
  for (let tries = 0; tries < 600 && (await told()) !== 'landscape_left'; tries++) await sleep(50);
  t.equal(await told(), 'landscape_left', 'and the turn is told');
});

t.test(
  'sessions leave no socket and no command behind, also when their commands failed',
  { skip: skip || (existsSync('/proc/self/fd') ? false : 'NO /proc: sockets are NOT counted') },
  async (t) => {
    const cycle = async () => {
      emulator.system.override = undefined;
      const session = await open();
      say(service, 'dumpsys', new Promise(() => undefined));
      await server.rest.interact(session, { action: 'reload', timeoutMs: 150 });
      say(service, 'am start', { code: 137, out: 'Killed\n' });
      await openUrl(service, session);
      emulator.system.override = undefined;
      await server.rest.releaseSession(session.id);
      t.ok(await nothingRuns());
    };
    await cycle();
    const before = openSockets();
    for (let count = 0; count < 2; count++) await cycle();
    for (let tries = 0; tries < 600 && openSockets() > before; tries++) await sleep(50);
    t.ok(openSockets() <= before, `${before} sockets became ${openSockets()}`);
  },
);
