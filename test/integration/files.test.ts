import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test as Tap } from 'tap';
import { RunCloud } from '../../client/sdk/index.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

/** A session until the end of the test. */
async function open(t: Tap, platform: 'ios' | 'android' = 'ios') {
  const { id } = await rest.createSession(platform);
  t.teardown(() => rest.releaseSession(id));
  return { id, session: cloud.session({ id, platform }) };
}

const passing = () => readdirSync(join(server.dataDir, 'transfers'));

async function untilNothingPasses(t: Tap): Promise<void> {
  for (let tries = 0; tries < 200 && passing().length > 0; tries++) await sleep(20);
  t.same(passing(), []);
}

t.test('files go and come by the SDK, stand in the history, and leave nothing on the service’s disk', async (t) => {
  const { id, session } = await open(t);
  const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
  for (const name of HOSTILE_NAMES)
    t.equal((await session.files.push(`d/${name}`, new Blob([name]))).byteSize, Buffer.byteLength(name));
  t.same((await session.files.list('d')).entries.map(({ name }) => name).sort(), [...HOSTILE_NAMES].sort());
  for (const name of HOSTILE_NAMES) t.equal(Buffer.from(await session.files.pull(`d/${name}`)).toString(), name);
  t.match(await session.files.push('large', bytes), {
    root: 'shared',
    path: 'large',
    byteSize: 3_000_000,
    modifiedAt: String,
  });
  t.same(Buffer.compare(await session.files.pull('large'), bytes), 0);
  const stream = () => new Blob([bytes]).stream() as ReadableStream<Uint8Array>;
  t.match(await session.files.push('large', { stream: stream(), byteSize: 3_000_000 }), { byteSize: 3_000_000 });
  t.match(await session.files.delete('large'), { kind: 'file' });
  await t.rejects(session.files.pull('large'), { code: 'interaction_failed', message: /There is no "large"/ });
  await t.rejects(session.files.pull('../x'), { message: /"path" has the name ".."/ });
  await t.rejects(session.files.list('', { app: 'none.such' }), { code: 'app_not_found' });
  const { entries } = (
    await rest.call<{ entries: Record<string, unknown>[] }>('GET', `/service/ios/${id}/history?limit=200`)
  ).body;
  t.match(entries.at(-1), { action: 'file.list', status: 'failed' });
  t.match(
    entries.find(({ action, fields }) => action === 'file.push' && (fields as { path?: string }).path === 'large'),
    { fields: { root: 'shared', path: 'large', byteSize: 3_000_000 }, status: 'completed' },
  );
  t.same(passing(), []);
  t.equal((await session.connect()).ready.capabilities.files, true);
  session.disconnect();
  const next = await open(t);
  t.same((await next.session.files.list()).entries, [], 'another phone has none of it');
});

t.test('a push that is cut off in the middle leaves what was there, and the session goes on', async (t) => {
  const { id, session } = await open(t);
  await session.files.push('kept', new Blob(['before']));
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const path = `/service/ios/${id}/files/content?path=kept`;
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TEST_KEY}\r\nContent-Length: 2000000\r\n\r\n`,
  );
  socket.write(Buffer.alloc(1_000_000));
  for (let tries = 0; tries < 200 && passing().length === 0; tries++) await sleep(10);
  t.equal(passing().length, 1, 'it is on its way');
  socket.destroy();
  await untilNothingPasses(t);
  t.equal(Buffer.from(await session.files.pull('kept')).toString(), 'before');
  t.same(
    (await session.files.list()).entries.map(({ name }) => name),
    ['kept'],
  );
});

t.test('a pull whose reader goes away in the middle leaves nothing, and the session goes on', async (t) => {
  const { id, session } = await open(t);
  await session.files.push('large', new Uint8Array(12_000_000));
  for (let count = 0; count < 20; count++) {
    const ending = new AbortController();
    const answer = await rest.fetch(`/service/ios/${id}/files/content?path=large`, { signal: ending.signal });
    t.equal(answer.headers.get('content-length'), '12000000');
    await answer.body?.getReader().read();
    ending.abort();
  }
  await untilNothingPasses(t);
  t.equal((await session.files.pull('large')).length, 12_000_000, 'none of them is counted any more');
});

t.test('what is too long or without room is refused before and after it is read', async (t) => {
  const { id } = await open(t, 'android');
  const push = (body: Uint8Array<ArrayBuffer>, headers = {}) =>
    rest.fetch(`/service/android/${id}/files/content?path=x`, { method: 'PUT', body, headers });
  t.equal((await push(new Uint8Array(LIMITS.fileBytes + 1))).status, 413);
  const full = await push(new Uint8Array(17_000_000));
  t.match(await full.json(), { ok: false, error: { code: 'interaction_failed', message: /room for 16777216 bytes/ } });
  t.equal((await push(new Uint8Array(8), { 'Content-Type': 'text/html' })).status, 415);
  t.match(await (await push(new Uint8Array(0))).json(), { byteSize: 0 });
  const answer = await rest.fetch(`/service/android/${id}/files/content?path=x`);
  t.match(Object.fromEntries(answer.headers), {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  });
  await untilNothingPasses(t);
});

t.test('files are kept in a snapshot and gone after a reset; those of an app go with it', async (t) => {
  const { session } = await open(t);
  await session.files.push('a/kept', new Blob(['kept']));
  await session.snapshot('files');
  await session.resetDevice();
  t.same((await session.files.list()).entries, []);
  const again = await cloud.sessions.create({ platform: 'ios', snapshot: 'files' });
  t.equal(Buffer.from(await again.files.pull('a/kept')).toString(), 'kept');
  await again.delete();
  await cloud.snapshots.delete('files');
});
