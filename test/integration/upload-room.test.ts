import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { RecordingRecord } from '@runcloud/protocol';
import t from 'tap';
import { iosPackage } from '../support/ios-package.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram } from '../support/server-process.ts';
import { SmallDisk, withoutMounts } from '../support/troubled-disk.ts';

const MIB = 2 ** 20;
/** More than the disk has. */
const TOO_LARGE = new Uint8Array(80 * MIB);
/** A connection that is reset under its sender takes the answer along, but not every time. */
const ROUNDS = 24;

const withMounts = { skip: withoutMounts() };

t.test('uploads leave recordings their room on the disk, and whoever sends one hears so', withMounts, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'runcloud-room-'));
  const disk = new SmallDisk(dataDir, 96 * 1_024);
  // In a process of its own: the two of them read and write at the same time.
  const server = serverProgram(dataDir, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_DISK_HEADROOM: '48/8',
    RUNCLOUD_LOG: 'error',
  });
  t.teardown(async () => {
    server.signal('SIGTERM');
    await server.ended;
    disk.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const rest = new RestClient(await server.ready(), TEST_KEY);

  async function refused(body: RequestInit['body'], what: string) {
    const options = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const response = await rest.fetch('/service/assets', options);
    t.equal(response.status, 503, what);
    t.equal(response.headers.get('retry-after'), '60', what);
    t.match(await response.json(), { ok: false, error: { code: 'asset_capacity_unavailable', retryable: true } }, what);
  }

  for (let round = 0; round < ROUNDS; round++) await refused(TOO_LARGE, 'its length is told ahead');
  const pieces = Array.from({ length: 80 }, () => TOO_LARGE.subarray(0, MIB));
  await refused(Readable.toWeb(Readable.from(pieces)) as ReadableStream, 'its length is not known');
  t.same(readdirSync(join(dataDir, 'assets')), [], 'nothing is left of them');

  const small = await rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(await iosPackage()) });
  t.equal(small.status, 201, 'one that fits is taken');
  const session = await rest.createSession('ios');
  const recordings = `/service/ios/${session.id}/recordings`;
  const { status, body } = await rest.call<RecordingRecord>('POST', recordings);
  t.equal(status, 201);
  const stopped = await rest.call<RecordingRecord>('POST', `${recordings}/${body.id}/stop`);
  t.match(stopped.body, { status: 'ready' });
});
