import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingDetails, RecordingRecord } from '@runcloud/protocol';
import t from 'tap';
import { proveKills } from '../support/prove-kills.ts';
import { S3Server } from '../support/s3/s3-server.ts';
import { startServer } from '../support/server.ts';

const store = await S3Server.start();
t.teardown(() => store.close());
const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:4', RUNCLOUD_LOG: 'silent', ...store.environment });
t.teardown(() => server.close());
const { rest } = server;
const videos = () => readdirSync(join(server.dataDir, 'recordings')).filter((name) => name.endsWith('.mp4'));

async function recorded(path: string): Promise<RecordingRecord> {
  const { id } = (await rest.call<RecordingRecord>('POST', path)).body;
  await sleep(500);
  return (await rest.call<RecordingRecord>('POST', `${path}/${id}/stop`)).body;
}

async function until<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

t.test('a recording is in the store, whole, and is downloaded from there with ranges', async (t) => {
  const session = await rest.createSession('ios');
  const path = `/service/ios/${session.id}/recordings`;
  const record = await recorded(path);
  t.match(record, { status: 'ready', checksum: /^sha256:/ });
  const redirect = await rest.fetch(record.downloadUrl ?? '', { redirect: 'manual' });
  const location = redirect.headers.get('location') ?? '';
  t.equal(redirect.status, 302);
  t.equal(redirect.headers.get('cache-control'), 'no-store');
  t.ok(location.startsWith(`${store.url}/${store.bucket}/recordings/${record.id}.mp4?`));
  t.notMatch(location, new RegExp(store.credentials.secretAccessKey.replaceAll('+', '\\+')));
  const file = Buffer.from(await (await rest.fetch(record.downloadUrl ?? '')).arrayBuffer());
  t.equal(`sha256:${createHash('sha256').update(file).digest('hex')}`, record.checksum);
  const part = await fetch(location, { headers: { Range: 'bytes=4-7' } });
  t.equal(part.status, 206);
  t.equal(await part.text(), 'ftyp');
  await until(() => (videos().length === 0 ? true : undefined), 'the file to leave the disk');
  const poster = await rest.fetch(`${path}/${record.id}/poster`);
  t.match([poster.status, poster.headers.get('content-type')], [200, 'image/jpeg']);
  t.same(store.refusals, []);
});

t.test('the dashboard may play from the store, and from nowhere else', async (t) => {
  const policy = (await fetch(`${server.url}/dashboard`, { headers: { Accept: 'text/html' } })).headers.get(
    'content-security-policy',
  );
  t.match(policy, `media-src 'self' ${store.url};`);
});

t.test(
  'while the store is away, full or wrong, a recording waits on the disk, and is ready when it is well',
  async (t) => {
    const session = await rest.createSession('ios');
    const path = `/service/ios/${session.id}/recordings`;
    for (const [trouble, code] of [
      ['away', 'storage_error'],
      ['full', 'storage_full'],
      ['wrong bytes', 'storage_error'],
    ] as const) {
      store.trouble = trouble;
      const record = await recorded(path);
      t.match(
        record,
        { status: 'failed', failure: { stage: 'store', code, retryable: true, nextAttemptAt: String } },
        trouble,
      );
      t.equal(videos().filter((name) => name.startsWith(record.id)).length > 0, true, 'its files are here');
      store.trouble = undefined;
      const ready = await until(async () => {
        const { body } = await rest.call<RecordingDetails>('GET', `${path}/${record.id}`);
        return body.status === 'ready' ? body : undefined;
      }, 'the recording to be ready');
      const file = Buffer.from(await (await rest.fetch(ready.downloadUrl ?? '')).arrayBuffer());
      t.equal(`sha256:${createHash('sha256').update(file).digest('hex')}`, ready.checksum);
    }
  },
);

t.test('what the store has lost is told, and a store that is away asks for a retry', async (t) => {
  const session = await rest.createSession('ios');
  const path = `/service/ios/${session.id}/recordings`;
  const { id, downloadUrl = '' } = await recorded(path);
  store.trouble = 'away';
  t.match(await rest.call('GET', downloadUrl), { status: 503, body: { error: { code: 'store_unavailable' } } });
  store.trouble = undefined;
  store.objects.delete(`recordings/${id}.mp4`);
  t.match(await rest.call('GET', downloadUrl), { body: { error: { code: 'recording_object_invalid' } } });
});

t.test('a server that is killed at any moment loses at most the last second of a recording', async (t) => {
  // The long form is test/prove/recording-store.prove.ts.
  await proveKills(t, {
    count: 4,
    seed: 5,
    laterKillsMax: 1,
    folder: join(t.testdir(), 'data'),
    environment: store.environment,
  });
  t.equal(store.uploads.size, 0);
});
