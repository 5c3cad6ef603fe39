import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Acknowledgement,
  AssetRecord,
  LogPage,
  RecordingRecord,
  SessionRecord,
  SnapshotRecord,
  UiTree,
} from '@runcloud/protocol';
import t from 'tap';
import { withFfmpeg } from '../host/stream/ffmpeg.ts';
import { HELPER } from '../support/ios/kept-by.ts';
import { StandInMac } from '../support/ios/stand-in-mac.ts';
import { standInService } from '../support/ios/stand-in-service.ts';
import { IOS_ID, iosPackage } from '../support/ios-package.ts';
import { complaints, probe } from '../support/mp4-judges.ts';
import { RestClient } from '../support/rest-client.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';

const keep = (rest: RestClient, { id }: SessionRecord, name: string) =>
  rest.call<SnapshotRecord & Acknowledgement>('POST', `/service/ios/${id}/snapshots`, { name });

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries === 900) throw new Error(`it never came that ${what}`);
    await sleep(50);
  }
}

/** Simulators that are off: those of snapshots. */
const keptOn = (mac: StandInMac) => mac.made.filter(({ state }) => state === 'Shutdown');

t.test(`with ${HELPER}: a session is kept, goes on, and begins anew as often as it is asked for`, async (t) => {
  const { mac, server, session } = await standInService(t, { helpers: [HELPER], devicectl: true });
  const { rest } = server;
  const body = new Uint8Array(await iosPackage());
  const asset = (await (await rest.fetch('/service/assets', { method: 'POST', body })).json()) as AssetRecord;
  const first = await session({ installAssets: [asset.id] });
  const does = async (on: SessionRecord, fields: object) => {
    const { body: answer } = await rest.interact(on, fields);
    t.equal(answer.status, 'completed', `${JSON.stringify(fields)} ${answer.error?.message ?? ''}`);
    return answer.result as Record<string, unknown>;
  };
  const openUrl = (on: SessionRecord, url: string) =>
    rest.call<{ handler?: string }>('POST', `/service/ios/${on.id}/open-url`, { url });
  const place = new URLSearchParams({ root: `app:${IOS_ID}`, path: 'Documents/kept' });
  const file = (on: SessionRecord) => `/service/ios/${on.id}/files/content?${place}`;
  const screenIsBright = async (on: SessionRecord) =>
    (await does(on, { action: 'configureDevice' })).appearance === 'light';

  await does(first, { action: 'configureDevice', appearance: 'dark', textScale: 1.3 });
  await does(first, { action: 'setPermission', app: IOS_ID, permission: 'location', access: 'grant' });
  t.equal((await rest.fetch(file(first), { method: 'PUT', body: new Uint8Array([1, 2, 3]) })).status, 200);
  await does(first, { action: 'launchApp', app: 'com.example.notes' });
  await does(first, { action: 'rotate', orientation: 'landscape_left' });
  const { udid } = mac.booted;

  const watcher = await ScreenWatcher.connect(server.url, first, rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  await watcher.until('the stream began', () => watcher.packets.length > 0);
  const logs = `/service/ios/${first.id}/logs`;
  await rest.call<LogPage>('GET', logs);

  const { frame } = (await rest.call<UiTree>('GET', `/service/ios/${first.id}/ui`)).body;
  const { status, body: record } = await keep(rest, first, 'base');
  t.match([status, record], [201, { name: 'base', platform: 'ios', model: first.device.model, sessionId: first.id }]);
  t.match(await keep(rest, first, 'base'), { status: 409 });
  const stale = await rest.interact(first, { action: 'tapElement', target: { ref: '@1', frame } });
  t.match(stale.body, { error: { code: 'ref_expired' } }, 'what was on the screen is gone');
  t.equal(mac.booted.udid, udid);
  t.equal(keptOn(mac).length, 1);
  await watcher.until('the turn was told', () => {
    return (
      watcher.message('event', ({ event, orientation }) => event === 'orientation' && orientation === 'portrait') !==
      undefined
    );
  });
  const { length } = watcher.packets;
  t.equal(mac.booted.guest.inspect().foreground, 'home');
  const before = mac.booted.guest.arrivals.length;
  await does(first, { action: 'swipe', from: { x: 0.8, y: 0.4 }, to: { x: 0.2, y: 0.4 }, durationMs: 200 });
  t.ok(mac.booted.guest.arrivals.length > before, 'touches arrive');
  await watcher.until('more pictures came', () => watcher.packets.length > length);
  t.match(watcher.packets.at(-1)?.header, { width: 590, height: 1_280, orientation: 'portrait' });
  t.equal(watcher.message('screen.ended'), undefined, 'the stream has not ended');
  await until('the log goes on', async () => {
    mac.booted.guest.log.write({ text: 'after it was kept' });
    const { body: page } = await rest.call<LogPage>('GET', `${logs}?limit=200`);
    return JSON.stringify(page).includes('after it was kept');
  });
  const recordings = `/service/ios/${first.id}/recordings`;
  const recording = (await rest.call<RecordingRecord>('POST', recordings)).body;
  t.equal((await keep(rest, first, 'other')).status, 201);
  t.equal(keptOn(mac).length, 2);
  await does(first, { action: 'swipe', from: { x: 0.8, y: 0.4 }, to: { x: 0.2, y: 0.4 }, durationMs: 200 });
  const { body: stopped } = await rest.call<RecordingRecord>('POST', `${recordings}/${recording.id}/stop`);
  t.match(stopped, { status: 'ready' });
  t.equal(watcher.message('screen.ended'), undefined, 'the stream has not ended');
  watcher.close();
  t.equal((await rest.call('DELETE', '/service/snapshots/other')).status, 200);
  await t.test('the recording is whole', withFfmpeg(), async (t) => {
    const path = join(t.testdir(), 'recording.mp4');
    await writeFile(path, Buffer.from(await (await rest.fetch(stopped.downloadUrl ?? '')).arrayBuffer()));
    t.equal(await complaints(path), '');
    const { packets } = await probe(path);
    t.ok(packets.length > 5, `${packets.length} pictures`);
    t.ok(packets.filter(({ flags }) => flags.startsWith('K')).length > 1, 'a new helper begins with a key picture');
  });
  await does(first, { action: 'configureDevice', appearance: 'light' });
  await rest.releaseSession(first.id);

  for (let round = 0; round < 2; round++) {
    const again = await session({ snapshot: 'base' });
    t.match(again, { orientation: 'portrait', device: { model: first.device.model } });
    t.not(mac.booted.udid, udid);
    const { guest } = mac.booted;
    t.match(await does(again, { action: 'configureDevice' }), { appearance: 'dark', textScale: 1.35 });
    t.same(guest.privacy, [['grant', 'location', IOS_ID]]);
    t.same([...new Uint8Array(await (await rest.fetch(file(again))).arrayBuffer())], [1, 2, 3]);
    t.match((await openUrl(again, 'demo://a')).status, 200);
    t.same(guest.handed, ['demo://a']);
    await does(again, { action: 'launchApp', app: IOS_ID });
    // Nothing of it comes into the next one.
    await does(again, { action: 'uninstallApp', app: IOS_ID });
    await rest.releaseSession(again.id);
  }
  const plain = await session();
  t.ok(await screenIsBright(plain));
  t.match((await rest.interact(plain, { action: 'launchApp', app: IOS_ID })).body, { status: 'failed' });
  await rest.releaseSession(plain.id);

  t.equal((await rest.call('DELETE', '/service/snapshots/base')).status, 200);
  await rest.releaseSession((await session()).id);
  await until('the simulator of the snapshot is gone', () => keptOn(mac).length === 0);
});

t.test('a simulator that was kept outlives a killed service, and one that was not does not', async (t) => {
  const mac = await StandInMac.start();
  const { path, remove } = temporaryDataDir();
  t.teardown(async () => {
    await mac.close();
    remove();
  });
  const start = async () => {
    const program = serverProgram(path, {
      ...mac.tools,
      RUNCLOUD_API_KEY: TEST_KEY,
      RUNCLOUD_DEVICES: 'ios-simulator:iPhone Stand-In',
      RUNCLOUD_LOG: 'error',
    });
    t.teardown(() => program.signal('SIGKILL'));
    return { program, rest: new RestClient(await program.ready(), TEST_KEY) };
  };
  const kill = async (program: Awaited<ReturnType<typeof start>>['program']) => {
    program.signal('SIGKILL');
    await program.ended;
    await until('what it was asking for has been answered', () => mac.running <= 1);
  };

  const first = await start();
  const session = await sessionInTime(first, 'ios');
  t.equal((await keep(first.rest, session, 'base')).status, 201);
  const [base] = keptOn(mac);
  mac.override = (args) => {
    // The copy is there, and the service ends before it has written a file.
    if (args[1] === 'boot') first.program.signal('SIGKILL');
    return undefined;
  };
  await t.rejects(keep(first.rest, session, 'never'));
  mac.override = () => undefined;
  await kill(first.program);
  t.equal(mac.made.length, 3, 'the session, what was kept, and what was not');

  const second = await start();
  await until('only what was kept and the next one are there', () => mac.made.length === 2);
  t.ok(mac.made.includes(base ?? mac.booted));
  const again = await sessionInTime(second, 'ios', { snapshot: 'base' });
  t.equal(again.status, 'active');
  await second.rest.releaseSession(again.id);
  mac.simulators.splice(mac.simulators.indexOf(base ?? mac.booted), 1);
  const refused = await second.rest.call<Acknowledgement>('POST', '/service/sessions', {
    platform: 'ios',
    snapshot: 'base',
  });
  t.match(refused, {
    status: 422,
    body: {
      error: { code: 'snapshot_damaged', message: /"base" cannot be read: its simulator is not there any more/ },
    },
  });
  t.equal((await second.rest.call('DELETE', '/service/snapshots/base')).status, 200);
  t.same(readdirSync(join(path, 'snapshots')), []);
  second.program.signal('SIGTERM');
  t.match(await second.program.ended, { code: 0 });
  await until('everything is gone', () => mac.running === 0 && mac.made.length === 0);
});
