import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { AssetList, AssetRecord } from '@runcloud/protocol';
import t from 'tap';
import { iosPackage } from '../support/ios-package.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { type Program, serverProgram, temporaryDataDir } from '../support/server-process.ts';

const data = temporaryDataDir();
t.teardown(() => data.remove());
const stored = () => readdirSync(join(data.path, 'assets'));

async function start(): Promise<{ readonly program: Program; readonly rest: RestClient }> {
  const program = serverProgram(data.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' });
  t.teardown(() => program.signal('SIGKILL'));
  return { program, rest: new RestClient(await program.ready(), TEST_KEY) };
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test('a server that is killed in the middle of uploads keeps what it acknowledged, and nothing else', async (t) => {
  const first = await start();
  const body = new Uint8Array(await iosPackage());
  const response = await first.rest.fetch('/service/assets', { method: 'POST', body });
  const kept = (await response.json()) as AssetRecord;
  t.equal(response.status, 201);
  const { hostname, port } = new URL(first.rest.url);
  for (let index = 0; index < 3; index++) {
    const socket = connect(Number(port), hostname, () => {
      const head = ['POST /service/assets HTTP/1.1', 'Host: a', `Authorization: Bearer ${TEST_KEY}`];
      socket.write(`${[...head, 'Content-Length: 9000000'].join('\r\n')}\r\n\r\n`);
      socket.write(Buffer.alloc(3_000_000));
    });
    socket.on('error', () => undefined);
  }
  const parts = () => stored().filter((name) => name.endsWith('.part')).length;
  await until(() => parts() === 3);
  first.program.signal('SIGKILL');
  await first.program.ended;
  t.equal(parts(), 3, 'this is what a kill leaves behind');
  const second = await start();
  t.same(stored(), [`${kept.checksum.slice('sha256:'.length)}.pkg`]);
  t.same((await second.rest.call<AssetList>('GET', '/service/assets')).body, { assets: [kept] });
  const session = await second.rest.createSession('ios', { installAssets: [kept.id] });
  t.equal(session.status, 'active');
  second.program.signal('SIGTERM');
  t.match(await second.program.ended, { code: 0 });
});

t.test('a server that is stopped in the middle of an upload ends in time, and the next one cleans up', async (t) => {
  const first = await start();
  const { hostname, port } = new URL(first.rest.url);
  const socket = connect(Number(port), hostname, () => {
    const head = ['POST /service/assets HTTP/1.1', 'Host: a', `Authorization: Bearer ${TEST_KEY}`];
    socket.write(`${[...head, 'Content-Length: 9000000'].join('\r\n')}\r\n\r\nhalf`);
  });
  socket.on('error', () => undefined);
  await until(() => stored().some((name) => name.endsWith('.part')));
  first.program.signal('SIGTERM');
  t.match(await first.program.ended, { code: 0, signal: null });
  const second = await start();
  t.equal(stored().length, 1);
  second.program.signal('SIGTERM');
  await second.program.ended;
});
