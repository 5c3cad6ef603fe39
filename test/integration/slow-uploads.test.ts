import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { iosPackage } from '../support/ios-package.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const stored = () => readdirSync(join(server.dataDir, 'assets'));

async function upload(): Promise<number> {
  const body = new Uint8Array(await iosPackage());
  const response = await server.rest.fetch('/service/assets', { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}

/** An upload of which a byte comes every second. */
function trickle(): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname, () => {
    const head = ['POST /service/assets HTTP/1.1', 'Host: a', `Authorization: Bearer ${TEST_KEY}`];
    socket.write(`${[...head, 'Content-Length: 1000000'].join('\r\n')}\r\n\r\n`);
  });
  const timer = setInterval(() => socket.write('x'), 1_000);
  socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  return socket.resume();
}

t.test('uploads that come byte by byte are given up, and hold nothing from then on', async (t) => {
  const slow = Array.from({ length: LIMITS.uploadsPerAccount }, trickle);
  t.teardown(() => {
    for (const socket of slow) socket.destroy();
  });
  while (stored().length < slow.length) await new Promise((resolve) => setTimeout(resolve, 20));
  t.equal(await upload(), 429, 'as many as an account may have on their way');
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  while (stored().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  t.equal(await upload(), 201);
});
