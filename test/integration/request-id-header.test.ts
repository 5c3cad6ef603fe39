import t from 'tap';
import { RestClient } from '../support/rest-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const HEADER = 'x-service-request-id';
const NEW_ID = /^req_\w{22}$/;

t.test('every answer tells what its request is known by', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const rest = new RestClient(server.url, TEST_KEY);
  const named = (path: string, id: string, init: RequestInit = {}) =>
    rest.fetch(path, { ...init, headers: { [HEADER]: id, ...init.headers } });
  const idOf = ({ headers }: { readonly headers: Headers }) => headers.get(HEADER);

  const one = await rest.fetch('/service/sessions');
  t.match(idOf(one), NEW_ID);
  t.not(idOf(one), idOf(await rest.fetch('/service/sessions')), 'a new one for each');
  t.equal(idOf(await named('/service/sessions', 'from the caller')), 'from the caller');
  t.match(idOf(await named('/service/sessions', 'x'.repeat(129))), NEW_ID, 'one that is too long');
  t.match(idOf(await fetch(`${server.url}/healthz`)), NEW_ID, 'without a key');

  const session = await rest.createSession('ios');
  const path = `/service/ios/${session.id}`;
  const tap = { action: 'tap', x: 0.5, y: 0.5 };
  const own = await rest.interact(session, { ...tap, requestId: 'tap-1' });
  t.equal(idOf(own), 'tap-1', 'of the body');
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...tap, requestId: 'tap-2' });
  const both = await named(`${path}/interactions`, 'header', { method: 'POST', headers, body });
  t.equal(idOf(both), 'tap-2', 'of the body, whatever the header says');
  const unnamed = await rest.interact(session, tap);
  t.match(unnamed.body.requestId, NEW_ID);
  t.equal(idOf(unnamed), unnamed.body.requestId);
  t.equal(idOf(await rest.fetch(`${path}/interactions/tap-1`)), 'tap-1', 'of the path');

  for (const failure of [
    await rest.interact(session, { action: 'tap', x: 7, y: 0.5, requestId: 'tap-3' }),
    await rest.interact(session, { action: 'tap', x: 7, y: 0.5 }),
    await rest.call('GET', '/service/nothing'),
    await rest.call('DELETE', '/service/sessions'),
    await rest.call('GET', `${path}/control`),
    await new RestClient(server.url, 'wrong-key-of-twenty-characters').call('GET', '/service/sessions'),
  ]) {
    t.ok(failure.status >= 400, String(failure.status));
    t.equal(idOf(failure), failure.body.requestId, `${failure.status} ${failure.body.error?.code}`);
  }
});
