import t from 'tap';
import { nativeSockets } from '../../server/socket/uws/native.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

const isThere = nativeSockets() !== undefined;

t.test('a library that is there is native', { skip: isThere ? false : 'NO native uWebSockets.js' }, async (t) => {
  t.match(Function.prototype.toString.call(nativeSockets()?.App), /native code/);
});

t.test('the stand-in of the package is never taken, and one that is asked for in vain ends the start', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const server = serverProgram(dataDir.path, { UWS_USE_FALLBACK: '1', RUNCLOUD_SOCKETS: 'uws' });
  t.same(await server.ended, { code: 1, signal: null });
  t.notMatch(server.stdout, /listening/);
  const lines = server.stderr.split('\n').filter((line) => line.startsWith('runcloud:'));
  t.equal(lines.length, 1, server.stderr);
  t.notMatch(server.stderr, /^\s+at /m, 'no stack');
  t.match(
    lines[0],
    /^runcloud: cannot start: RUNCLOUD_SOCKETS is uws, but uWebSockets\.js has no native build for Node\.js v\S+ on \S+: npm install /,
  );
});

t.test('without a native build ws serves by itself, and one line of the log says so and what to do', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const server = serverProgram(dataDir.path, { UWS_USE_FALLBACK: '1', RUNCLOUD_SOCKETS: undefined });
  t.teardown(() => server.signal('SIGKILL'));
  const answer = await fetch(`${await server.ready()}/healthz`);
  t.equal(answer.status, 200);
  const told = server.stderr.split('\n').filter((line) => line.includes('uWebSockets.js'));
  t.equal(told.length, 1, server.stderr);
  t.match(JSON.parse(told[0] ?? ''), {
    level: 'warn',
    sockets: 'ws',
    msg: /has no native build for Node\.js v\S+ on \S+: ws serves instead.*npm install /,
  });
  server.signal('SIGTERM');
  t.same(await server.ended, { code: 0, signal: null });
});

t.test('ws serves where it is asked for, without a word', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const server = serverProgram(dataDir.path, { RUNCLOUD_SOCKETS: 'ws' });
  t.teardown(() => server.signal('SIGKILL'));
  t.equal((await fetch(`${await server.ready()}/healthz`)).status, 200);
  t.notMatch(server.stderr, /uWebSockets/);
});
