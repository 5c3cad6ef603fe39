import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, HistoryEntry, RecordingDetails, SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { adbServersOf } from '../support/android/adb-servers.ts';
import { type AttachedHost, attachedHost } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInHost } from '../support/android/stand-in-emulator.ts';
import { ControlClient } from '../support/control-client.ts';
import { type RestAnswer, RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { temporaryDataDir } from '../support/server-process.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

/** Pixels of the stand-in's display. */
const WIDTH = 540;

async function startedOn(t: Test, environment: AttachedHost['environment'], more: AttachedHost['environment'] = {}) {
  const dataDir = temporaryDataDir();
  const service = await ServiceProcess.start({
    ...environment,
    RUNCLOUD_DATA_DIR: dataDir.path,
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'silent',
    RUNCLOUD_DISK_HEADROOM: '0/0',
    RUNCLOUD_CHECK_ANSWERS: '1',
    ...more,
  });
  t.teardown(async () => {
    await service.kill();
    dataDir.remove();
  });
  return { service, dataDir: dataDir.path, rest: new RestClient(service.url, TEST_KEY) };
}

async function attached(t: Test, more?: AttachedHost['environment']) {
  const host = await attachedHost(1);
  t.teardown(() => host.stop());
  const [first] = host.devices;
  if (!first) throw new Error('no device');
  const { system } = first.device;
  /** How often each column was tapped. */
  const taps = () => {
    const counts = new Map<number, number>();
    for (const [name, verb, x] of system.log) {
      if (name === 'input' && verb === 'tap') counts.set(Number(x), (counts.get(Number(x)) ?? 0) + 1);
    }
    return counts;
  };
  return { ...(await startedOn(t, host.environment, more)), host, device: first.device, system, taps };
}

/** A tap that the stand-in's log tells from all others. */
const tapAt = (column: number) => ({
  action: 'tap',
  requestId: `tap-${column}`,
  x: (column + 0.5) / WIDTH,
  y: 0.5,
  timeoutMs: 60_000,
});

const recordOf = async (rest: RestClient, { id }: SessionRecord) =>
  (await rest.call<SessionRecord>('GET', `/service/sessions/${id}`)).body;

/** Each command takes its time on a busy machine. */
async function inTime(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries === 600) throw new Error('it does not come about');
    await sleep(250);
  }
}

/** As if the service had been killed so much earlier. */
function age(dataDir: string, byMs: number): void {
  const folder = join(dataDir, 'request-logs');
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const older = readFileSync(path, 'utf8').replaceAll(
      /("\w*[aA]tMs":)(\d+)/g,
      (_all, key, ms) => `${key}${Number(ms) - byMs}`,
    );
    writeFileSync(path, older);
  }
}

t.test('a session goes on when its service is killed and back, and nothing is done twice', { skip }, async (t) => {
  const { service, rest, system, taps } = await attached(t);
  const before = [...system.settings].sort();
  const session = await sessionInTime({ rest }, 'android', { labels: { build: '7' }, hardTimeout: '1h' });
  const base = `/service/android/${session.id}`;
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body: link } = await rest.call<{ url: string }>('POST', links, { role: 'view', ttl: '1h' });
  const away = { action: 'configureDevice', requestId: 'dark', appearance: 'dark' };
  const { body: dark } = await rest.interact(session, away);
  t.equal(dark.status, 'completed');
  const socket = await ControlClient.connect(rest.url, session, rest.authorization);
  const { connection } = socket.ready;
  const { body: recording } = await rest.call<RecordingDetails>('POST', `${base}/recordings`);
  t.match(recording, { status: 'recording' });

  const asked: { readonly column: number; readonly answer: Promise<RestAnswer<Acknowledgement> | undefined> }[] = [];
  for (let column = 0; column < 4; column++) {
    asked.push({ column, answer: rest.interact(session, tapAt(column)).catch(() => undefined) });
  }
  await inTime(() => taps().size > 2);
  // The recording has some seconds, and the service has told that it lives.
  await sleep(2_500);
  // From here on the device takes its time.
  system.override = ([name]) => (name === 'input' ? sleep(300, undefined) : undefined);
  for (let column = 4; column < 12; column++) {
    asked.push({ column, answer: rest.interact(session, tapAt(column)).catch(() => undefined) });
  }
  await inTime(() => taps().has(5));
  await service.kill();
  const told = await Promise.all(asked.map(async ({ column, answer }) => ({ column, answer: await answer })));
  system.override = undefined;
  const atKill = system.log.length;
  t.ok(
    told.some(({ answer }) => answer === undefined),
    'it was killed in the middle',
  );

  await service.start();
  const again = await recordOf(rest, session);
  const { expiresAt, ...same } = session;
  t.match(again, { ...same, status: 'active' }, 'it is the same session, on the same lease and device');
  t.ok(Math.abs(Date.parse(again.expiresAt) - Date.parse(expiresAt)) < 60_000, 'it expires when it would have');
  const made = await rest.call('POST', '/service/sessions', { platform: 'android' });
  t.match(made, { status: 503, body: { error: { code: 'simulator_capacity_unavailable' } } }, 'nobody else gets it');
  const since = system.log.slice(atKill).map((words) => words.join(' '));
  const changing = /^input (?!tap )\w|^pm (un)?install|^pm clear|^am |^settings (put|delete)/;
  t.same(
    since.filter((words) => changing.test(words)),
    [],
    'it is left as it is',
  );
  t.equal(system.night, 'yes');

  const resume = `${connection?.id}.${connection?.epoch}.0`;
  const next = await ControlClient.connect(rest.url, session, rest.authorization, resume);
  t.match(next.ready, { resumed: false, pending: [] }, 'it does not know the connection');
  const viewer = await ControlClient.connectWithToken(rest.url, { ...session, url: link.url }, rest.url);
  t.match(viewer.ready, { role: 'view' }, 'a link that was given out is good');
  await viewer.close();

  t.match((await rest.interact(session, away)).body, dark, 'an answer that was given is given again');
  let unknown = 0;
  for (const { column, answer } of told) {
    const { body } = await rest.interact(session, tapAt(column));
    const effects = taps().get(column) ?? 0;
    if (answer !== undefined) t.same(body, answer.body, `the answer to ${column} is the same`);
    t.ok(effects <= 1, `${column} is tapped once`);
    if (body.status === 'completed') t.equal(effects, 1);
    else {
      unknown++;
      t.match(body, { status: 'failed', error: { code: 'host_lost', retryable: false } });
      const state = await rest.call<{ status: string }>('GET', `${base}/interactions/tap-${column}`);
      t.match(state.body, { status: 'unknown', requestId: `tap-${column}` });
    }
  }
  t.ok(unknown > 0, `${unknown} were on their way`);
  const other = await rest.interact(session, { ...tapAt(0), y: 0.25 });
  t.match(other, { status: 409, body: { error: { code: 'duplicate_request' } } });

  t.match(await next.interact({ requestId: 'after', action: 'tap', x: 0.9, y: 0.5 }), { status: 'completed' });
  t.equal(taps().get(Math.floor(0.9 * WIDTH)), 1);
  const { entries } = (await rest.call<{ entries: HistoryEntry[] }>('GET', `${base}/history?limit=200`)).body;
  t.ok(
    entries.every(({ seq }, index) => index === 0 || seq > (entries[index - 1]?.seq ?? 0)),
    'in one order',
  );
  t.match(entries.at(-1), { requestId: 'after', status: 'completed' });
  t.equal(new Set(entries.map(({ requestId }) => requestId)).size, entries.length, 'each once');
  for (const { column, answer } of told) {
    const entry = entries.find(({ requestId }) => requestId === `tap-${column}`);
    if (answer && entry) t.equal(entry.status, answer.body.status);
    t.not(entry?.status, 'pending');
  }
  const lastInput = (list: readonly HistoryEntry[]) => Math.max(...list.map(({ inputSeq = 0 }) => inputSeq));
  t.equal(lastInput(entries), entries.at(-1)?.inputSeq, 'inputs are numbered on');

  const read = async (id: string) => (await rest.call<RecordingDetails>('GET', `${base}/recordings/${id}`)).body;
  await inTime(async () => (await read(recording.id)).status === 'ready');
  t.ok(((await read(recording.id)).durationMs ?? 0) > 1_000);
  const { status, body: second } = await rest.call<RecordingDetails>('POST', `${base}/recordings`);
  t.equal(status, 201, 'another one can be made');
  t.match((await rest.call('POST', `${base}/recordings/${second.id}/stop`)).body, { status: 'ready' });

  t.match((await rest.releaseSession(session.id)).body, { status: 'released', releaseReason: 'requested' });
  t.match(await next.closed, { code: 4404 });
  const fresh = await sessionInTime({ rest }, 'android');
  t.not(fresh.id, session.id);
  await rest.releaseSession(fresh.id);
  await system.reset();
  t.same([...system.settings].sort(), before, 'what it changed is undone');
});

t.test('what is not back in time has ended, and so has what was in the process', { skip }, async (t) => {
  const host = await attachedHost(1);
  t.teardown(() => host.stop());
  const devices = `${host.environment.RUNCLOUD_DEVICES},virtual-ios:1`;
  const { service, rest, dataDir } = await startedOn(t, host.environment, { RUNCLOUD_DEVICES: devices });
  const system = host.devices[0]?.device.system;
  const late = await sessionInTime({ rest }, 'android');
  const virtual = await sessionInTime({ rest }, 'ios');
  await rest.interact(late, { action: 'configureDevice', appearance: 'dark' });
  await service.kill();
  age(dataDir, 61_000);
  await service.start();
  t.match(await recordOf(rest, late), { status: 'failed', releaseReason: 'server_restarted' });
  t.match(await recordOf(rest, virtual), { status: 'failed', releaseReason: 'server_restarted' });
  const next = await sessionInTime({ rest }, 'android');
  t.equal(system?.night, 'no', 'the next one finds nothing of it');
  await service.kill('SIGTERM');
  await service.start();
  t.match(await recordOf(rest, next), { status: 'released', releaseReason: 'server_stopped' }, 'a stop ends it');
});

t.test('an emulator that the service did not start stays as it is, and goes back at the end', { skip }, async (t) => {
  const host = await standInHost(1);
  t.teardown(() => {
    for (const pid of adbServersOf(host.folder)) execFileSync('kill', ['-9', pid]);
    host.stop();
  });
  const [emulator] = host.emulators;
  if (!emulator) throw new Error('no emulator');
  const { control, console: own } = emulator;
  own.delayMs = [80, 400];
  const { service, rest } = await startedOn(t, host.environment);
  const session = await sessionInTime({ rest }, 'android');
  const before = control?.gps;
  const there = { action: 'setLocation', requestId: 'there', latitude: 52.5, longitude: 13.25, timeoutMs: 60_000 };
  const slow = { action: 'configureDevice', requestId: 'slow', networkDelayMs: 150, timeoutMs: 60_000 };
  const answers = [(await rest.interact(session, there)).body, (await rest.interact(session, slow)).body];
  t.match(answers, [{ status: 'completed' }, { status: 'completed' }]);
  await service.kill();

  await service.start();
  t.match(await recordOf(rest, session), { status: 'active', device: { id: session.device.id } });
  t.match(control?.gps, { latitude: 52.5, longitude: 13.25 });
  t.same(own.delayMs, [150, 150]);
  t.same([(await rest.interact(session, there)).body, (await rest.interact(session, slow)).body], answers);
  const tap = { action: 'tap', x: 0.5, y: 0.5, timeoutMs: 60_000 };
  t.match((await rest.interact(session, tap)).body, { status: 'completed' });
  await rest.releaseSession(session.id);
  await inTime(() => own.delayMs[0] === 80 && control?.gps.latitude === before?.latitude);
  t.match(control?.gps, { ...before, satellites: Number });
  t.same(own.delayMs, [80, 400]);
});
