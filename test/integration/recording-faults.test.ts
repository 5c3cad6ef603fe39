import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { RecordingDetails, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { decodeJournal } from '../../server/capture/journal.ts';
import { DRIVERS } from '../conformance/drivers.ts';
import { ControlClient } from '../support/control-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { makeReadOnly, SmallDisk, withoutMounts } from '../support/troubled-disk.ts';

/** Faults around a recording of the real service: they cause the right failure, affect nobody else, and lose no video. */

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const address = ({ platform, id }: SessionRecord, tail = '') => `/service/${platform}/${id}/recordings${tail}`;
const icon = (session: SessionRecord, app: string) => DRIVERS[0]?.icon(session, app) ?? { x: 0.5, y: 0.5 };

async function start({ rest }: TestServer, session: SessionRecord): Promise<RecordingRecord> {
  const { status, body } = await rest.call<RecordingRecord>('POST', address(session));
  if (status !== 201) throw new Error(`no recording: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A server whose recordings may be on a disk of their own. */
async function serve(t: Pick<typeof import('tap').default, 'teardown'>, diskKibibytes?: number, headroom = '0/0') {
  const dataDir = mkdtempSync(join(tmpdir(), 'runcloud-faults-'));
  const folder = join(dataDir, 'recordings');
  mkdirSync(folder);
  const disk = diskKibibytes === undefined ? undefined : new SmallDisk(folder, diskKibibytes);
  const server = await startServer({
    RUNCLOUD_DATA_DIR: dataDir,
    RUNCLOUD_DEVICES: 'virtual-ios:3',
    RUNCLOUD_DISK_HEADROOM: headroom,
    RUNCLOUD_LOG: 'silent',
  });
  t.teardown(async () => {
    await server.close();
    disk?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const read = async (session: SessionRecord, id: string) =>
    (await server.rest.call<RecordingDetails>('GET', address(session, `/${id}`))).body;
  /** Waits until so much of a recording is on disk, however slow the machine is. */
  const written = async (id: string, ms: number) => {
    let writtenMs = 0;
    for (let tries = 0; tries < 1_500; tries++) {
      writtenMs = (decodeJournal(readFileSync(join(folder, `${id}.journal`))).at(-1)?.atUs ?? 0) / 1_000;
      if (writtenMs >= ms) return;
      await sleep(20);
    }
    throw new Error(`only ${writtenMs} ms of it were written`);
  };
  const reached = async (session: SessionRecord, id: string, status: string) => {
    for (let tries = 0; tries < 1_200; tries++) {
      const recording = await read(session, id);
      if (recording.status === status) return recording;
      await sleep(50);
    }
    throw new Error(`it is ${JSON.stringify(await read(session, id))}`);
  };
  return { server, folder, disk, written, reached, rest: server.rest };
}

t.beforeEach((t) => void t.capture(process.stderr, 'write', () => true));

const withMounts = { skip: withoutMounts() };

t.test('a disk that is full fails a recording for a while; with room again it is ready', withMounts, async (t) => {
  const { server, disk, written, reached, rest } = await serve(t, 8_192);
  const session = await rest.createSession('ios');
  const other = await rest.createSession('ios');
  disk?.fill();
  const refused = await rest.call('POST', address(other));
  t.match(refused, { status: 503, body: { error: { code: 'recording_capacity_unavailable', retryable: true } } });
  disk?.relieve();
  await rest.interact(session, { action: 'tap', ...icon(session, 'motion') });
  const socket = await ControlClient.connect(server.url, session, rest.authorization);
  const { id } = await start(server, session);
  await written(id, 1_500);
  disk?.fill();
  // It ends by itself: nobody asks for it. A next try that found the disk full would put the one after it off for minutes.
  const failing = socket.next('event', (event) => event.event === 'recording' && event.recording.status === 'failed');
  const failed = failing.then((event) => {
    disk?.relieve();
    return event.event === 'recording' ? event.recording.failure : undefined;
  });
  for (const each of [session, other]) {
    t.equal((await rest.interact(each, { action: 'tap', x: 0.5, y: 0.5 })).status, 200, 'the sessions go on');
    t.ok((await rest.screenshot(each)).length > 1_000);
  }
  t.match(await failed, {
    stage: 'finalize',
    code: 'storage_full',
    retryable: true,
    action: /Poll/,
    nextAttemptAt: /^20/,
  });
  const ready = await reached(session, id, 'ready');
  t.ok(
    ready.events.some(({ type }) => type === 'capture_stopped'),
    'the capture ended by itself',
  );
  await socket.close();
  t.ok((ready.durationMs ?? 0) > 1_000, `${ready.durationMs} ms were kept`);
  t.equal((await rest.fetch(ready.downloadUrl ?? '')).status, 200);
  t.equal(
    (await rest.call<RecordingRecord>('POST', address(other, `/${(await start(server, other)).id}/stop`))).body.status,
    'ready',
  );
});

t.test('a small disk ends a recording while there is still room to finish it', withMounts, async (t) => {
  const { server, reached, rest } = await serve(t, 2_560, '1/1');
  const session = await rest.createSession('ios');
  await rest.interact(session, { action: 'tap', ...icon(session, 'motion') });
  const { id } = await start(server, session);
  const { events, durationMs = 0, byteSize = 0 } = await reached(session, id, 'ready');
  t.match(events.find(({ type }) => type === 'capture_stopped')?.detail, /disk was nearly full/);
  t.ok(durationMs > 500 && byteSize > 100_000, `${durationMs} ms in ${byteSize} bytes`);
  t.notOk(
    events.some(({ type }) => type === 'failed'),
    'at the first try',
  );
});

t.test('a folder that turns read-only fails starts at once and stops for a while', async (t) => {
  const { server, folder, reached, rest } = await serve(t);
  const session = await rest.createSession('ios');
  const other = await rest.createSession('ios');
  const { id } = await start(server, session);
  await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 });
  const writable = makeReadOnly(folder);
  try {
    const refused = await rest.call('POST', address(other));
    t.match(refused, { status: 500, body: { error: { code: 'recording_failed', message: /storage_error/ } } });
    t.equal((await rest.interact(other, { action: 'tap', x: 0.5, y: 0.5 })).status, 200, 'the sessions go on');
    const stopped = await rest.call<RecordingRecord>('POST', address(session, `/${id}/stop`));
    t.match(stopped.body, { status: 'failed', failure: { stage: 'finalize', code: 'storage_error', retryable: true } });
  } finally {
    writable();
  }
  const { durationMs = 0 } = await reached(session, id, 'ready');
  t.ok(durationMs > 0);
});

t.test('a file that was cut, altered in one bit or deleted is not handed out, and the others are', async (t) => {
  const { server, folder, rest } = await serve(t);
  const session = await rest.createSession('ios');
  const finished = async () => {
    const { id } = await start(server, session);
    await rest.call('POST', address(session, `/${id}/stop`));
    return { id, file: join(folder, `${id}.mp4`) };
  };
  const harms: readonly [string, (file: string) => void][] = [
    ['cut short', (file) => truncateSync(file, readFileSync(file).length - 1)],
    [
      'a flipped bit',
      (file) => {
        const bytes = readFileSync(file);
        const at = bytes.length >> 1;
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
        writeFileSync(file, bytes);
      },
    ],
    ['deleted', (file) => unlinkSync(file)],
  ];
  const sound = await finished();
  for (const [what, harm] of harms) {
    const { id, file } = await finished();
    const download = address(session, `/${id}/download`);
    const before = await rest.fetch(download, { redirect: 'manual' });
    t.equal(before.status, 302);
    harm(file);
    const refusal = { status: 502, body: { error: { code: 'recording_object_invalid', retryable: false } } };
    t.match(await rest.call('GET', download), refusal, what);
    const late = await fetch(server.url + before.headers.get('location'));
    t.match({ status: late.status, body: await late.json() }, refusal, `${what}, by an older reference`);
    t.equal((await rest.fetch(address(session, `/${sound.id}/download`))).status, 200);
  }
});

t.test('a device whose thread crashes leaves what was recorded until then, and the service goes on', async (t) => {
  const threads: Worker[] = [];
  const note = (worker: Worker) => void threads.push(worker);
  process.on('worker', note);
  t.teardown(() => process.off('worker', note));
  const { server, written, reached, rest } = await serve(t);
  const earlier = threads.length;
  const session = await rest.createSession('ios');
  t.equal(threads.length, earlier + 1, 'the session has begun a host thread');
  const host = threads.at(-1);
  const { id } = await start(server, session);
  // The screen never rests, so that the thread crashes while FFmpeg encodes a picture.
  await rest.interact(session, { action: 'tap', ...icon(session, 'motion') });
  await written(id, 2_500);
  // It is no batch of messages: reading it throws.
  host?.postMessage(null);
  const { events, durationMs = 0, downloadUrl = '' } = await reached(session, id, 'ready');
  t.match(events.find(({ type }) => type === 'capture_stopped')?.detail, /^device_lost: /);
  t.ok(durationMs > 1_500, `${durationMs} ms are kept: all but the last second`);
  t.equal((await rest.fetch(downloadUrl)).status, 200);
  // The session gives its device back before it has failed, which on a busy machine takes longer than the recording's check.
  const record = async () => (await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body.status;
  for (let tries = 0; tries < 600 && (await record()) === 'releasing'; tries++) await sleep(50);
  t.equal(await record(), 'failed');
  const next = await rest.createSession('ios');
  const again = await start(server, next);
  const { body } = await rest.call<RecordingRecord>('POST', address(next, `/${again.id}/stop`));
  t.equal(body.status, 'ready', 'another session is recorded');
});
