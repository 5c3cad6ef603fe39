import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { androidEmulator } from '../conformance/drivers.ts';
import { adbServersOf } from '../support/android/adb-servers.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { type StandInService, standInService } from '../support/android/stand-in-service.ts';
import { whyUnplayable } from '../support/recording-of-a-lost-device.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { startServer } from '../support/server.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

const openUrl = async ({ server }: StandInService, { id, platform }: SessionRecord, url = 'https://a.example/') =>
  (await server.rest.call('POST', `/service/${platform}/${id}/open-url`, { url })).body;

t.test('an emulator that dies ends its session, and its slot heals when it is back', { skip }, async (t) => {
  const service = await standInService(t);
  const session = await service.session();
  const { rest } = service.server;
  const { body: recording } = await rest.call<{ id: string }>('POST', `/service/android/${session.id}/recordings`);
  const watcher = await ScreenWatcher.connect(service.server.url, session, rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  await watcher.until('the stream began', () => watcher.packets.length > 0);
  const { length } = watcher.packets;
  await rest.interact(session, { action: 'tap', ...androidEmulator.icon(session, 'motion') });
  await watcher.until('it moved', () => watcher.packets.length > length + 4);
  service.emulator.guest.reports.length = 0;
  const swipe = { action: 'swipe', from: { x: 0.5, y: 0.8 }, to: { x: 0.5, y: 0.2 }, durationMs: 20_000 };
  const swiping = service.server.rest.interact(session, { ...swipe, timeoutMs: 30_000 });
  while (service.emulator.guest.reports.length === 0) await sleep(10);
  service.emulator.control?.close();
  t.match(await service.ended(session), { status: 'failed', releaseReason: 'device_lost' });
  const { body } = await swiping;
  t.match(body.error?.code, /^(interaction_transport_error|active_session_not_found)$/, 'its swipe is told as well');
  t.ok(body.durationMs < 15_000, `after ${body.durationMs} ms of twenty seconds`);
  t.equal(await whyUnplayable(rest, session, recording.id, t.testdir()), '', 'what was shown until then can be played');
  await t.rejects(
    service.server.rest.createSession('android'),
    /simulator_capacity_unavailable|simulator_unavailable/,
    'it is not offered',
  );
});

t.test(
  'an adb server that is killed takes no session along for good: the slot heals with a new one',
  { skip },
  async (t) => {
    const service = await standInService(t);
    const session = await service.session();
    for (const pid of adbServersOf(service.host.folder)) execFileSync('kill', ['-9', pid]);
    const url = await openUrl(service, session);
    t.match(url.error, { code: /simulator_unavailable|simulator_session_ended/ });
    t.match(await service.ended(session), { status: 'failed', releaseReason: 'device_lost' });
    const again = await service.session();
    t.match(await openUrl(service, again), { ok: true });
  },
);

t.test('a device that adb calls offline is not offered', { skip }, async (t) => {
  const service = await standInService(t);
  await service.server.rest.releaseSession((await service.session()).id);
  service.emulator.adbd.close();
  // Its last session may still be on its way back, which is then what fails.
  await t.rejects(service.server.rest.createSession('android'), /simulator_(capacity_)?unavailable/);
  await t.rejects(service.server.rest.createSession('android'), /simulator_capacity_unavailable/);
});

t.test(
  'without the programs of a driver the start stops with one line that says which and how to get it',
  async (t) => {
    const tools = { PATH: t.testdir(), HOME: t.testdirName };
    await t.rejects(startServer({ RUNCLOUD_DEVICES: 'android-emulator:auto', ...tools }), {
      message: /`adb` is missing: install the Android SDK Platform-Tools/,
    });
  },
);

t.test('an AVD that nobody has made stops the start as well', { skip }, async (t) => {
  const tools = { PATH: process.env.PATH ?? '', HOME: t.testdir({ emulator: '' }), ANDROID_HOME: t.testdirName };
  await t.rejects(startServer({ RUNCLOUD_DEVICES: 'android-emulator:Nobody', ...tools }), {
    message: /`emulator` is missing|no Android Virtual Device named "Nobody"/,
  });
});
