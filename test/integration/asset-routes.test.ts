import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { AssetList, AssetRecord } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import { IOS_ID, iosPackage } from '../support/ios-package.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import { exchange, requestText } from '../support/wire.ts';
import { zip } from '../support/zip.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:2,virtual-android:1' });
t.teardown(() => server.close());
const { rest } = server;
const demo = await iosPackage();
const folder = join(server.dataDir, 'assets');
const stored = () => readdirSync(folder);

async function upload(body: Buffer, headers: Record<string, string> = {}, client = rest) {
  const response = await client.fetch('/service/assets', { method: 'POST', body: new Uint8Array(body), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
}

async function remove(id: string): Promise<void> {
  const { status } = await rest.call('DELETE', `/service/assets/${id}`);
  if (status !== 200) throw new Error(`not deleted: ${status}`);
}

/** Speaks HTTP by hand: sends the head and what `send` gives, and tells what came back until the end. */
function raw(head: readonly string[], send: (write: (piece: Buffer) => void, close: () => void) => void) {
  const { hostname, port } = new URL(server.url);
  return new Promise<string>((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      const lines = ['POST /service/assets HTTP/1.1', 'Host: test', `Authorization: Bearer ${TEST_KEY}`, ...head];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      send(
        (piece) => socket.write(piece),
        () => socket.destroy(),
      );
    });
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test('an uploaded app is described by its content, and can be read, listed and deleted', async (t) => {
  const { status, body, headers } = await upload(demo);
  t.equal(status, 201);
  t.equal(headers.get('cache-control'), 'no-store');
  t.match(body, {
    id: /^ast_\w{22}$/,
    platform: 'ios',
    name: 'Demo',
    identifier: IOS_ID,
    version: '1.2.3',
    byteSize: demo.length,
    checksum: /^sha256:[0-9a-f]{64}$/,
    urlSchemes: ['demo', 'demo-upper'],
    createdAt: /^\d{4}-.*Z$/,
  });
  const { id } = body;
  t.same((await rest.call('GET', `/service/assets/${id}`)).body, body);
  t.same((await rest.call('GET', '/service/assets')).body, { assets: [body] });
  t.same((await rest.call('DELETE', `/service/assets/${id}`)).body, { id, deleted: true });
  const again = await rest.call('DELETE', `/service/assets/${id}`);
  t.match(again, { status: 404, body: { error: { code: 'asset_not_found' } } });
  t.same(stored(), []);
});

t.test('the same content is stored once, and as long as one asset has it', async (t) => {
  const records = await Promise.all([1, 2, 3].map(async () => (await upload(demo)).body as AssetRecord));
  t.equal(new Set(records.map(({ id }) => id)).size, 3);
  t.equal(new Set(records.map(({ checksum }) => checksum)).size, 1);
  t.equal(stored().length, 1);
  const list = (await rest.call<AssetList>('GET', '/service/assets')).body.assets;
  t.same(list.map(({ id }) => id).sort(), records.map(({ id }) => id).sort());
  for (const [index, { id }] of records.entries()) {
    await remove(id);
    t.equal(stored().length, index === 2 ? 0 : 1);
  }
});

t.test('the kind is told by the content: these media types, and none, say the same', async (t) => {
  for (const type of ['application/octet-stream', 'Application/ZIP; x=y', 'application/vnd.android.package-archive']) {
    const { status, body } = await upload(demo, { 'Content-Type': type });
    t.match({ status, body }, { status: 201, body: { platform: 'ios' } }, type);
    await remove(body.id);
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const { status, body } = await upload(demo, { 'Content-Type': type });
    t.match({ status, code: body.error.code }, { status: 415, code: 'unsupported_media_type' }, type);
  }
});

t.test('an invalid app is refused with the reason, and leaves no file', async (t) => {
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from('hello'), /not a valid ZIP archive: .*[^.]\.$/],
    [demo.subarray(0, demo.length - 30), /not a valid ZIP archive: .*[^.]\.$/],
    [await zip({ 'readme.txt': 'hello' }), /neither an AndroidManifest\.xml nor an \.app folder/],
    [await zip({ 'AndroidManifest.xml': 'plain text' }), /AndroidManifest\.xml/],
  ];
  for (const [body, reason] of cases) {
    const answer = await upload(body);
    t.equal(envelopeFault('invalid_asset', answer.status, answer.text), undefined);
    t.match(sentenceOf(answer.text), reason);
  }
  t.same(stored(), []);
});

t.test('a body has a length or comes chunked; anything else is refused before it is read', async (t) => {
  const nothing = () => undefined;
  const refused = /^HTTP\/1.1 411 [\s\S]*"length_required"/;
  t.match(await raw([], nothing), refused);
  t.match(await raw(['Transfer-Encoding: gzip, chunked'], nothing), refused);
  const headers = { Authorization: rest.authorization, 'Content-Length': '0' };
  const empty = await exchange(server.url, requestText('POST /service/assets', headers));
  t.equal(envelopeFault('invalid_asset', empty?.status ?? 0, String(empty?.body)), undefined);
  t.match(sentenceOf(String(empty?.body)), /empty/);
  t.same(stored(), []);
});

t.test('a chunked body is as good as one with a length, and its connection is closed', async (t) => {
  const size = demo.length.toString(16);
  const answer = await raw(['Transfer-Encoding: chunked'], (write) => {
    write(Buffer.from(`${size}\r\n`));
    write(demo.subarray(0, 100));
    setTimeout(() => {
      write(demo.subarray(100));
      write(Buffer.from('\r\n0\r\n\r\n'));
    }, 20);
  });
  t.match(answer, /^HTTP\/1.1 201 /);
  const { id } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  t.match((await rest.call('GET', `/service/assets/${id}`)).body, { byteSize: demo.length });
  await remove(id);
});

t.test('a key is needed, and a foreign asset is exactly as unknown as none', async (t) => {
  const response = await fetch(`${server.url}/service/assets`, { method: 'POST', body: new Uint8Array(demo) });
  t.equal(response.status, 401);
  const other = server.addAccount('other').rest;
  const { id } = (await upload(demo)).body;
  const unknown = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
  const plain = (body: object) =>
    JSON.stringify({ ...body, requestId: 0, acceptedAt: 0, completedAt: 0, durationMs: 0 });
  for (const method of ['GET', 'DELETE']) {
    const foreign = await other.call(method, `/service/assets/${id}`);
    const absent = await other.call(method, `/service/assets/${unknown}`);
    t.equal(foreign.status, 404);
    t.equal(plain(foreign.body), plain(absent.body));
  }
  t.same((await other.call('GET', '/service/assets')).body, { assets: [] });
  const session = await other.call('POST', '/service/sessions', { platform: 'ios', installAssets: [id] });
  t.match(session, { status: 404, body: { error: { code: 'asset_not_found' } } });
  t.equal((await rest.call('GET', `/service/assets/${id}`)).status, 200);
  const theirs = (await upload(demo, {}, other)).body;
  await remove(id);
  t.equal((await other.call('GET', `/service/assets/${theirs.id}`)).status, 200, 'the content that they share stays');
  t.equal(stored().length, 1);
  await other.call('DELETE', `/service/assets/${theirs.id}`);
  t.same(stored(), []);
});

t.test('an upload that is cut off leaves nothing, wherever it is cut', async (t) => {
  const big = Buffer.concat([demo, Buffer.alloc(6 << 20)]);
  for (const bytes of [0, 1, demo.length, 3 << 20, big.length - 1]) {
    await raw([`Content-Length: ${big.length}`], (write, close) => {
      if (bytes > 0) write(big.subarray(0, bytes));
      setTimeout(close, 150);
    });
    await until(() => stored().length === 0);
    t.same(stored(), [], `${bytes} bytes`);
  }
  t.equal((await upload(demo)).status, 201, 'the next one is as welcome as ever');
});

t.test('so many uploads of an account at once, and no more; each that ends makes room', async (t) => {
  const closers: (() => void)[] = [];
  const running = Array.from({ length: LIMITS.uploadsPerAccount }, () =>
    raw(['Content-Length: 1000'], (write, close) => {
      write(Buffer.alloc(10));
      closers.push(close);
    }),
  );
  const parts = () => stored().filter((name) => name.endsWith('.part')).length;
  await until(() => parts() === LIMITS.uploadsPerAccount);
  const refused = await upload(demo);
  t.match(refused, { status: 429, body: { error: { code: 'rate_limited', retryable: true } } });
  t.equal(refused.headers.get('retry-after'), '5');
  for (const close of closers) close();
  await Promise.all(running);
  await until(() => parts() === 0);
  t.equal((await upload(demo)).status, 201);
});

t.test('a server that starts removes what a killed one left on its way, and nothing else', async (t) => {
  const dataDir = t.testdir();
  const assets = join(dataDir, 'assets');
  mkdirSync(assets);
  const kept = ['notes.txt', 'upload-.part', `${'a'.repeat(63)}.pkg`];
  const orphans = ['upload-abcDEF123.part', `${'a'.repeat(64)}.pkg`];
  for (const name of [...kept, ...orphans]) writeFileSync(join(assets, name), 'x');
  mkdirSync(join(assets, `${'b'.repeat(64)}.pkg`));
  const other = await startServer({ RUNCLOUD_DATA_DIR: dataDir, RUNCLOUD_LOG: 'fatal' });
  t.teardown(() => other.close());
  for (const name of orphans) t.notOk(existsSync(join(assets, name)), name);
  for (const name of [...kept, `${'b'.repeat(64)}.pkg`]) t.ok(existsSync(join(assets, name)), name);
});
