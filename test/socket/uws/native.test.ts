import t from 'tap';
import { nativeSockets } from '../../../server/socket/uws/native.ts';
import { serverProgram, temporaryDataDir } from '../../support/server-process.ts';

t.test('the native library is there', async (t) => {
  t.type(nativeSockets().App, 'function');
});

t.test('with the JavaScript stand-in the server does not start, and says why in one line', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const server = serverProgram(dataDir.path, { UWS_USE_FALLBACK: '1' });
  t.same(await server.ended, { code: 1, signal: null });
  t.notMatch(server.stdout, /listening/);
  const ours = server.stderr.split('\n').filter((line) => line.startsWith('runcloud:'));
  t.equal(ours.length, 1, server.stderr);
  t.match(ours[0], /no native uWebSockets\.js for Node\.js v.+: use Node\.js 20, without UWS_USE_FALLBACK$/);
  t.notMatch(server.stderr, /^\s+at /m, 'no stack');
});
