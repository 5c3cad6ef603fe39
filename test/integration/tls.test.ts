import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { decodeServerMessage, encodeClientMessage, type ServerMessage } from '@runcloud/protocol';
import t from 'tap';
import { WebSocket } from 'ws';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

const FOLDER = join(import.meta.dirname, '../support/tls');
const CERT = join(FOLDER, 'certificate.pem');
const KEY = join(FOLDER, 'key.pem');
const ca = readFileSync(CERT);
const authorization = `Bearer ${TEST_KEY}`;

const dataDir = temporaryDataDir();
t.teardown(dataDir.remove);

/** One call, by a client that trusts the certificate. */
function call(url: string, method: string, body?: string): Promise<{ status: number; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
    const sent = request(url, { method, ca, headers, agent: false }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(pieces) });
    });
    sent.once('error', reject).end(body);
  });
}

t.test('with a certificate REST and the control socket are served over TLS, and nothing in clear', async (t) => {
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_TLS_CERT: CERT,
    RUNCLOUD_TLS_KEY: KEY,
  });
  t.teardown(() => program.signal('SIGKILL'));
  const url = await program.ready();
  t.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const created = await call(`${url}/service/sessions`, 'POST', '{"platform":"ios"}');
  t.equal(created.status, 201);
  const session = JSON.parse(String(created.bytes)) as { id: string; url: string };
  t.match(session.url, new RegExp(`^${url}/`), 'the address that is shared is the one that is served');
  const home = `${url}/service/ios/${session.id}`;
  const screenshot = await call(`${home}/screenshot`, 'GET');
  t.equal(screenshot.status, 200);
  t.ok(screenshot.bytes.byteLength > 65_536, 'more than one piece');
  t.equal(screenshot.bytes.subarray(1, 4).toString(), 'PNG');
  t.same(screenshot.bytes.subarray(-8, -4).toString(), 'IEND', 'whole');

  const socket = new WebSocket(`${home.replace('https', 'wss')}/control`, 'runcloud.v1', {
    ca,
    headers: { Authorization: authorization },
  });
  const messages: ServerMessage[] = [];
  const done = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (bytes: Buffer) => {
      const read = decodeServerMessage(bytes);
      if (read.kind !== 'message') return reject(new Error(read.kind));
      messages.push(read.message);
      if (read.message.type === 'result' && read.message.requestId === 'last') resolve();
    });
  });
  await new Promise((resolve) => socket.once('open', resolve));
  for (let index = 0; index < 5; index++) {
    socket.send(encodeClientMessage({ type: 'screenshot', requestId: index === 4 ? 'last' : `s${index}` }));
  }
  await done;
  t.equal(messages.filter(({ type }) => type === 'result').length, 5);

  const { hostname, port } = new URL(url);
  await t.rejects(fetch(`http://${hostname}:${port}/healthz`), 'plain HTTP is not spoken');
  // A client that leaves in the middle of the handshake, and one that says nothing, harm nobody.
  connect({ host: hostname, port: Number(port), ca })
    .on('error', () => undefined)
    .destroy();
  t.equal((await call(`${url}/healthz`, 'GET')).status, 200);

  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  program.signal('SIGTERM');
  t.equal(await closed, 1001);
  t.same(await program.ended, { code: 0, signal: null });
});

t.test('files that cannot be used stop the start in one line', async (t) => {
  const nonsense = join(dataDir.path, 'nonsense.pem');
  writeFileSync(nonsense, 'no certificate');
  const cases = [
    [join(dataDir.path, 'absent.pem'), KEY, /^RUNCLOUD_TLS_CERT cannot be read: ENOENT/],
    [CERT, join(dataDir.path, 'absent.pem'), /^RUNCLOUD_TLS_KEY cannot be read: ENOENT/],
    [nonsense, KEY, /^RUNCLOUD_TLS_CERT and RUNCLOUD_TLS_KEY cannot be used: /],
    [CERT, join(FOLDER, 'other-key.pem'), /^RUNCLOUD_TLS_CERT and RUNCLOUD_TLS_KEY cannot be used: .*mismatch/],
  ] as const;
  for (const [cert, key, expected] of cases) {
    const program = serverProgram(dataDir.path, { RUNCLOUD_TLS_CERT: cert, RUNCLOUD_TLS_KEY: key });
    t.same(await program.ended, { code: 1, signal: null });
    const lines = program.stderr.split('\n').filter((line) => line.startsWith('runcloud:'));
    t.equal(lines.length, 1, program.stderr);
    t.match(lines[0]?.replace('runcloud: cannot start: ', ''), expected);
  }
});
