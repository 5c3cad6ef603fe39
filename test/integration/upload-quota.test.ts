import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AssetRecord } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { iosPackage } from '../support/ios-package.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import { bigZip } from '../support/zip.ts';

const MIB = 2 ** 20;
const server = await startServer({ RUNCLOUD_ASSET_QUOTA: '3/2', RUNCLOUD_ASSET_QUOTA_TOTAL: '5/3' });
t.teardown(() => server.close());
const other = server.addAccount('other');
const stored = () => readdirSync(join(server.dataDir, 'assets'));
const app = await iosPackage();

async function upload(body: RequestInit['body'], rest = server.rest) {
  const options = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await rest.fetch('/service/assets', options);
  const text = await response.text();
  return { status: response.status, text, asset: JSON.parse(text) as AssetRecord };
}

/** Pieces of a MiB, whose length is not told. */
const pieces = (count: number, piece = Buffer.alloc(MIB)): ReadableStream =>
  Readable.toWeb(Readable.from(Array.from({ length: count }, () => piece))) as ReadableStream;

/** Sends the head of an upload and nothing of its body. */
function announce(bytes: number): Promise<{ answer: string; end(): void }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const head = ['POST /service/assets HTTP/1.1', 'Host: a', `Authorization: Bearer ${TEST_KEY}`];
      socket.write(`${[...head, `Content-Length: ${bytes}`].join('\r\n')}\r\n\r\n`);
    });
    const end = () => socket.destroy();
    const silence = setTimeout(() => resolve({ answer: '', end }), 300);
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        clearTimeout(silence);
        resolve({ answer: data.toString(), end });
      });
  });
}

t.test('past what an account may have, an upload is refused ahead, before its body is looked at', async (t) => {
  const { answer, end } = await announce(2 * MIB + 1);
  end();
  t.match(answer, /^HTTP\/1\.1 507 /);
  t.match(answer, /"code":"asset_quota_exceeded"/);
  t.match(answer, /"retryable":false/);
  t.match(answer, /"action":"Delete assets that you no longer need, then upload again\."/);
  t.same(stored(), []);
});

t.test('where its length is not told it is refused as it passes the bound, and leaves nothing', async (t) => {
  const { status, text } = await upload(pieces(3));
  t.equal(envelopeFault('asset_quota_exceeded', status, text), undefined);
  t.same(stored(), []);
});

t.test('uploads on their way hold what they announced until they end, however they do', async (t) => {
  const first = await announce(2 * MIB - app.length + 1);
  t.equal(first.answer, '', 'it is accepted');
  t.equal((await upload(new Uint8Array(app))).status, 507, 'one byte too many');
  first.end();
  for (;;) {
    const { status, asset } = await upload(new Uint8Array(app));
    if (status === 507) continue;
    t.equal(status, 201);
    await server.rest.call('DELETE', `/service/assets/${asset.id}`);
    break;
  }
  t.same(stored(), []);
});

t.test('deleting makes room at once; the same content takes room once, and a place each time', async (t) => {
  const { stream, byteSize } = await bigZip({ 'Demo.app/Info.plist': '<plist/>' }, MIB + MIB / 2);
  await upload(Readable.toWeb(stream) as ReadableStream);
  t.ok(byteSize > MIB, 'what was refused takes no room');
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    const { status, asset } = await upload(new Uint8Array(app));
    t.equal(status, 201);
    ids.push(asset.id);
  }
  t.equal(stored().length, 1);
  const fourth = await upload(new Uint8Array(app));
  t.match(fourth.text, /may have 3 assets of 2097152 bytes together, and has 3 of/);
  await server.rest.call('DELETE', `/service/assets/${ids[0]}`);
  t.equal((await upload(new Uint8Array(app))).status, 201);
});

t.test('past what all accounts may have together it is the service that has no room, for now', async (t) => {
  for (let index = 0; index < 2; index++) t.equal((await upload(new Uint8Array(app), other.rest)).status, 201);
  const { status, text } = await upload(new Uint8Array(app), other.rest);
  t.equal(envelopeFault('asset_capacity_unavailable', status, text), undefined);
});
