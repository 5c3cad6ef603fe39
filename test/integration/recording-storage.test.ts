import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingDetails, RecordingRecord } from '@runcloud/protocol';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { startServer } from '../support/server.ts';

/** Another process holds the database's write lock around the stop and the start of a recording. */

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:2', RUNCLOUD_LOG: 'silent' });
t.teardown(() => server.close());
const { rest } = server;

const LOCKED_MS = 3_000;
const HOLD = `
  const database = new (require(process.versions.node.startsWith('20.') ? 'better-sqlite3' : 'better-sqlite3-13'))(process.argv[1]);
  database.exec('BEGIN IMMEDIATE');
  process.stdout.write('locked');
  setTimeout(() => database.close(), ${LOCKED_MS});
`;

/** Resolves when the lock is held; `over` when it was given back. */
async function lock(): Promise<{ readonly over: Promise<void> }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/TAP|NODE/.test(name)));
  const cwd = join(import.meta.dirname, '../../server');
  const child = spawn(process.execPath, ['-e', HOLD, databasePath(server.dataDir)], { env, cwd });
  const over = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  await new Promise((resolve) => void child.stdout.once('data', resolve));
  return { over };
}

/** Files that this process has open although they were deleted. */
function deletedButOpen(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(server.dataDir) && file.endsWith('(deleted)') ? [file] : [];
    } catch {
      return [];
    }
  });
}

t.test(
  'a stop while another process holds the database is refused for now, ends ready and whole, and the next start works',
  async (t) => {
    const session = await rest.createSession('ios');
    const path = `/service/ios/${session.id}/recordings`;
    const { id } = (await rest.call<RecordingRecord>('POST', path)).body;
    await sleep(700);
    const { over } = await lock();
    const stoppedMs = Date.now();
    const stop = rest.call('POST', `${path}/${id}/stop`);
    let refused = await rest.call('POST', path);
    // It may arrive before the stop, which goes on another connection: then the first recording still runs.
    while (refused.status === 409) refused = await rest.call('POST', path);
    t.match(refused, { status: 503, body: { error: { code: 'store_unavailable', retryable: true } } });
    t.match(refused.headers.get('retry-after'), /^\d+$/);
    t.equal((await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 })).status, 200, 'taps go on');
    t.match(await stop, { status: 503, body: { error: { code: 'store_unavailable', retryable: true } } });
    await over;
    const { status, body } = await rest.call<RecordingRecord>('POST', `${path}/${id}/stop`);
    t.match({ status, body }, { status: 200, body: { id, status: 'ready' } });
    t.ok(
      Math.abs(Date.parse(body.stoppedAt ?? '') - stoppedMs) < LOCKED_MS / 2,
      'the capture ended when it was asked to',
    );
    const { events } = (await rest.call<RecordingDetails>('GET', `${path}/${id}`)).body;
    t.strictSame(
      events.map(({ type }) => type),
      ['created', 'capture_started', 'stop_requested', 'capture_stopped', 'container_verified', 'stored', 'ready'],
    );
    const next = await rest.call<RecordingRecord>('POST', path);
    t.equal(next.status, 201);
    t.equal((await rest.call<RecordingRecord>('POST', `${path}/${next.body.id}/stop`)).body.status, 'ready');
    t.strictSame(readdirSync(join(server.dataDir, 'recordings')).sort(), [`${id}.mp4`, `${next.body.id}.mp4`].sort());
    if (process.platform === 'linux') t.strictSame(deletedButOpen(), []);
  },
);

t.test('a start while another process holds the database is refused for now, and captures nothing', async (t) => {
  const session = await rest.createSession('ios');
  const path = `/service/ios/${session.id}/recordings`;
  const headers = { 'Idempotency-Key': 'once' };
  const start = async () => (await rest.fetch(path, { method: 'POST', headers })).status;
  const { over } = await lock();
  t.equal(await start(), 503);
  await over;
  t.equal(await start(), 201);
  t.equal(await start(), 200);
});
