import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Acknowledgement, SessionRecord, SnapshotRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { emulatorHost } from '../support/android/emulator-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { ControlClient } from '../support/control-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { type Program, serverProgram } from '../support/server-process.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';

if (!hasAdb) {
  t.pass('NO ADB: Android devices are NOT tested');
  process.exit();
}

const AVD = 'Pixel_8';
/** The height of what has a clock, which goes on: the status bar, and on the home screen a clock below it. */
const CLOCK = { portrait: 230, landscape: 32 } as const;
const host = emulatorHost([AVD]);
const content = join(host.tools.ANDROID_AVD_HOME ?? '', `${AVD}.avd`);
let dataDir = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
let program: Program | undefined;
t.teardown(async () => {
  program?.signal('SIGTERM');
  await program?.ended;
  host.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A service on this host that starts the emulator itself, always with the same data. */
async function start(): Promise<RestClient> {
  program = serverProgram(dataDir, {
    ...host.tools,
    RUNCLOUD_DEVICES: `android-emulator:${AVD}`,
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'error',
  });
  return new RestClient(await program.ready(), TEST_KEY);
}

async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  program?.signal(signal);
  await program?.ended;
}

let rest = await start();

type Refusal = Acknowledgement;
const keep = ({ id }: SessionRecord, name: string) =>
  rest.call<SnapshotRecord & Refusal>('POST', `/service/android/${id}/snapshots`, { name });
const from = (snapshot: string) => sessionInTime({ rest }, 'android', { snapshot });
const release = ({ id }: SessionRecord) => rest.releaseSession(id);
/** The picture as a value that can be compared. */
const seen = async ({ id }: SessionRecord): Promise<string> => {
  const answer = await rest.fetch(`/service/android/${id}/screenshot?settled=true`);
  const image = sharp(Buffer.from(await answer.arrayBuffer()));
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const clock = info.width > info.height ? CLOCK.landscape : CLOCK.portrait;
  const below = data.subarray(clock * info.width * info.channels);
  return `${info.width}x${info.height} ${createHash('sha256').update(below).digest('hex')}`;
};
const put = ({ id }: SessionRecord, name: string, text: string) =>
  rest.fetch(`/service/android/${id}/files/content?path=${name}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: text,
  });
const read = async ({ id }: SessionRecord, name: string) => {
  const answer = await rest.fetch(`/service/android/${id}/files/content?path=${name}`);
  return answer.status === 200 ? answer.text() : answer.status;
};
/** What the emulator keeps. */
const kept = () => (existsSync(join(content, 'snapshots')) ? readdirSync(join(content, 'snapshots')) : []);

/** A session that knows nothing of any other. */
async function cleanSession(t: Test, why: string): Promise<void> {
  const session = await sessionInTime({ rest }, 'android');
  t.same([await read(session, 'kept.txt'), await read(session, 'later.txt')], [500, 500], `${why}: no file is left`);
  t.equal(session.orientation, 'portrait');
  const now = await seen(session);
  home ??= now;
  t.same(now, home, `${why}: the home screen is as ever`);
  await release(session);
}
let home: string | undefined;
let shown: string | undefined;

t.test('a session keeps the state of an emulator, and goes on', async (t) => {
  await cleanSession(t, 'at first');
  const session = await sessionInTime({ rest }, 'android');
  const socket = await ControlClient.connect(rest.url, session, rest.authorization);
  t.match(socket.messages[0], { type: 'ready', capabilities: { snapshots: true } });
  await rest.interact(session, { action: 'launchApp', app: 'com.standin.notes' });
  await rest.interact(session, { action: 'typeText', text: 'Kept' });
  await rest.interact(session, { action: 'configureDevice', appearance: 'dark' });
  await rest.interact(session, { action: 'rotate', orientation: 'landscape_left' });
  t.equal((await put(session, 'kept.txt', 'of before')).status, 200);
  shown = await seen(session);
  const made = await keep(session, 'one');
  t.match(made, { status: 201, body: { name: 'one', platform: 'android', driver: 'android-emulator', model: AVD } });
  t.equal(kept().length, 1, 'the emulator keeps it');
  t.same(await seen(session), shown, 'nothing has changed');
  t.match(await rest.interact(session, { action: 'typeText', text: ' and more' }), { status: 200 });
  t.not(await seen(session), shown, 'it goes on');
  t.equal((await put(session, 'later.txt', 'of after')).status, 200);
  t.match(await keep(session, 'one'), { status: 409 });
  await socket.close();
  await release(session);
  await cleanSession(t, 'after it');
});

/** It is as it was kept, and can be used. */
async function isAsKept(t: Test, why: string): Promise<SessionRecord> {
  const session = await from('one');
  t.equal(session.orientation, 'landscape_left', why);
  t.same(await seen(session), shown, `${why}: the same pixels`);
  t.same([await read(session, 'kept.txt'), await read(session, 'later.txt')], ['of before', 500], `${why}: its files`);
  await rest.interact(session, { action: 'typeText', text: ' twice' });
  t.not(await seen(session), shown);
  t.equal((await put(session, 'later.txt', 'of the second')).status, 200);
  return session;
}

t.test('sessions from it are as it was, and leave nothing', async (t) => {
  for (const time of ['the first time', 'the second time']) {
    await release(await isAsKept(t, time));
    await cleanSession(t, `after ${time}`);
  }
  t.equal(kept().length, 1, 'of the state before nothing is left');
});

t.test('it survives the service and the emulator, also when the data are moved', async (t) => {
  await end('SIGTERM');
  const before = dataDir;
  dataDir = `${before}-moved`;
  renameSync(before, dataDir);
  rest = await start();
  await release(await isAsKept(t, 'after a restart'));
  await cleanSession(t, 'after a restart');
});

t.test('a service that is killed in a session from it leaves nothing to the next one', async (t) => {
  await isAsKept(t, 'before the kill');
  await end('SIGKILL');
  rest = await start();
  await cleanSession(t, 'after the kill');
  t.equal(kept().length, 1);
});

t.test('a state that the emulator cannot load is refused and named, and changes nothing', async (t) => {
  const others = kept();
  const session = await sessionInTime({ rest }, 'android');
  await keep(session, 'broken');
  await release(session);
  const [name = ''] = kept().filter((other) => !others.includes(other));
  writeFileSync(join(content, 'snapshots', name, 'ram.bin'), 'nothing that could be loaded');
  const refused = await rest.call<Refusal>('POST', '/service/sessions', { platform: 'android', snapshot: 'broken' });
  t.match(refused, {
    status: 422,
    body: { error: { code: 'snapshot_damaged', message: /"broken" cannot be read: .*Failed to load/ } },
  });
  await cleanSession(t, 'after the refusal');
  rmSync(join(content, 'snapshots', name), { recursive: true });
  const gone = await rest.call<Refusal>('POST', '/service/sessions', { platform: 'android', snapshot: 'broken' });
  t.match(gone, { status: 422, body: { error: { message: /does not have the requested snapshot/ } } });
  await cleanSession(t, 'after the second refusal');
  await rest.call('DELETE', '/service/snapshots/broken');
  await release(await isAsKept(t, 'beside it'));
});

t.test('what is deleted goes from the emulator, which keeps eight at most', async (t) => {
  let session = await sessionInTime({ rest }, 'android');
  for (let number = 2; number <= 8; number++) t.equal((await keep(session, `more-${number}`)).status, 201);
  t.equal(kept().length, 8);
  t.match(await keep(session, 'more-9'), {
    status: 500,
    body: { error: { code: 'interaction_failed', message: /keeps 8 snapshots at most/ } },
  });
  t.match(await rest.call('DELETE', '/service/snapshots/more-2'), { status: 200 });
  t.equal((await keep(session, 'more-9')).status, 201, 'there is room again');
  await release(session);
  for (const name of ['one', ...[3, 4, 5, 6, 7, 8, 9].map((number) => `more-${number}`)])
    await rest.call('DELETE', `/service/snapshots/${name}`);
  session = await sessionInTime({ rest }, 'android');
  t.same(kept(), [], 'the next session finds none');
  await release(session);
});
