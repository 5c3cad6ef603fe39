import type { UiNode, UiOutline, UiTree } from '@runcloud/protocol';
import t from 'tap';
import { RunCloud } from '../../client/sdk/index.ts';
import { ControlClient } from '../support/control-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const session = await rest.createSession('ios');
const address = `/service/ios/${session.id}/ui`;
const read = async () => (await rest.call<UiTree>('GET', address)).body;
const namesOf = (nodes: readonly UiNode[]): readonly (string | undefined)[] =>
  nodes.flatMap(({ name, children = [] }) => [name, ...namesOf(children)]);

t.test('the tree tells what is on the screen, after everything that was accepted before', async (t) => {
  const first = await rest.call<UiTree>('GET', address);
  t.match(first, { status: 200, body: { app: 'Home', screen: 'on', orientation: 'portrait' } });
  t.equal(first.headers.get('Cache-Control'), 'no-store');
  t.ok(namesOf(first.body.nodes).includes('Notes'));
  const socket = await ControlClient.connect(server.url, session, rest.authorization);
  t.match(socket.messages[0], { type: 'ready', capabilities: { ui: true } });
  socket.send({ type: 'interaction', requestId: 'tap', action: 'tap', x: 0.39, y: 0.92 });
  socket.send({ type: 'ui', requestId: 'tree' });
  const { result, action } = await socket.result('tree');
  t.match({ result, action }, { action: 'ui', result: { app: 'Notes', nodes: [{ role: 'app', id: 'notes' }] } });
  socket.send({ type: 'ui', requestId: 'lines', format: 'outline' });
  const { outline } = (await socket.result('lines')).result as unknown as UiOutline;
  t.match(outline, /^frame \d+ · Notes · portrait · \d+ of \d+ nodes\nheading "Notes"\n/);
  await socket.close();
});

t.test('a frame keeps its number until an input, whatever way the input comes', async (t) => {
  const before = await read();
  t.equal((await read()).frame, before.frame);
  await rest.interact(session, { action: 'tap', x: 0.5, y: 0.3 });
  const after = await read();
  t.ok(after.frame > before.frame);
  const socket = await ControlClient.connect(server.url, session, rest.authorization);
  for (const phase of ['begin', 'end'])
    socket.send({ type: 'pointer', requestId: 'p', phase, points: [{ x: 0.5, y: 0.3 }] });
  await socket.result('p');
  const pointed = await read();
  t.ok(pointed.frame > after.frame);
  await rest.call('POST', `/service/ios/${session.id}/open-url`, { url: 'https://a.example' });
  t.ok((await read()).frame > pointed.frame);
  await socket.close();
});

t.test('lines are given to whoever asks for them in the query or accepts text alone', async (t) => {
  const headers = { Authorization: rest.authorization };
  for (const [path, accept] of [
    [`${address}?format=outline`, '*/*'],
    [address, 'text/plain'],
  ] as const) {
    const response = await fetch(`${server.url}${path}`, { headers: { ...headers, Accept: accept } });
    t.equal(response.headers.get('Content-Type'), 'text/plain; charset=utf-8');
    t.match(await response.text(), /^frame \d+ · /);
  }
  // Those past the first few of an account in one turn of the event loop are handled later.
  const many = Array.from({ length: 20 }, () =>
    fetch(`${server.url}${address}`, { headers: { ...headers, Accept: 'text/plain' } }),
  );
  for (const response of await Promise.all(many)) {
    t.equal(response.headers.get('Content-Type'), 'text/plain; charset=utf-8');
    await response.text();
  }
  const asked = await fetch(`${server.url}${address}?format=json`, { headers: { ...headers, Accept: 'text/plain' } });
  t.equal(asked.headers.get('Content-Type'), 'application/json');
  await asked.body?.cancel();
  t.match(await rest.call('GET', `${address}?format=xml`), {
    status: 400,
    body: { error: { code: 'invalid_request' } },
  });
});

t.test('the SDK gives both forms', async (t) => {
  const client = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
  const handle = client.session({ id: session.id, platform: 'ios' });
  const tree = await handle.ui();
  t.match(tree, { screen: 'on', app: 'Browser' });
  t.match(await handle.outline(), new RegExp(`^frame ${tree.frame} · Browser · `));
});

t.test('a look is not in the history, and one who only views may look', async (t) => {
  await read();
  const history = await rest.call<{ entries: { action: string }[] }>('GET', `/service/ios/${session.id}/history`);
  t.notOk(history.body.entries.some(({ action }) => action === 'ui'));
});

t.test('more than 50 reads a second are refused, and the session goes on', async (t) => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => rest.call('GET', address)));
  const statuses = new Set(answers.map(({ status }) => status));
  t.strictSame([...statuses].sort(), [200, 429]);
  t.match(answers.find(({ status }) => status === 429)?.body, { action: 'ui', error: { code: 'rate_limited' } });
  t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
});
