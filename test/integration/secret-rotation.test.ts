import { CLOSE } from '@runcloud/protocol/terms';
import t from 'tap';
import { admin } from '../support/admin-command.ts';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

t.test('after a rotation old signatures are invalid while the server runs, and new ones are valid', async (t) => {
  const session = await server.rest.createSession('ios');
  const path = `/service/sessions/${session.id}`;
  const link = await server.rest.call<{ url: string }>('POST', `${path}/viewer-links`, { role: 'view' });
  const byKey = await ControlClient.connect(server.url, session, server.rest.authorization);
  const byAddress = await ControlClient.connectWithToken(server.url, session, server.url);
  const byLink = await ControlClient.connectWithToken(server.url, { ...session, url: link.body.url }, server.url);
  const { code, stdout } = await admin(server.dataDir, 'secret', 'rotate', 'all', '--json');
  t.equal(code, 0);
  t.same(JSON.parse(stdout), { rotated: ['viewer-token', 'retrieval-reference', 'known-browser'] });
  const revoked = { code: CLOSE.revoked.code, reason: CLOSE.revoked.reason };
  t.same(await Promise.all([byAddress.closed, byLink.closed]), [revoked, revoked]);
  t.equal((await fetch(session.url)).status, 401, 'the address of before');
  byKey.send({ type: 'ping', id: 1 });
  t.ok(await byKey.next('pong'), 'a key is not signed');
  const { body } = await server.rest.call<typeof session>('GET', path);
  t.not(body.url, session.url);
  t.equal((await fetch(body.url)).status, 200);
  const again = await ControlClient.connectWithToken(server.url, body, server.url);
  await again.close();
  await byKey.close();
});

t.test('a purpose that there is not is refused, and changes nothing', async (t) => {
  const { code, stderr } = await admin(server.dataDir, 'secret', 'rotate', 'cursor');
  t.equal(code, 2);
  t.match(stderr, /PURPOSE is one of viewer-token, retrieval-reference, known-browser, all/);
});
