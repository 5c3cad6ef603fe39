import t from 'tap';
import { Bystander } from '../support/bystander.ts';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';
import { watchFaults } from '../support/watch-faults.ts';
import { exchange, requestText, Wire } from '../support/wire.ts';

const faults = watchFaults();
const server = await startServer();
const session = await server.rest.createSession('ios');
const bystander = await Bystander.start(server);
t.teardown(() => server.close());

const KEY = { Authorization: server.rest.authorization };
const HOME = `/service/ios/${session.id}`;
const tap = (requestId: string) => JSON.stringify({ requestId, action: 'tap', x: 0.5, y: 0.5 });
const post = (body: string) =>
  requestText(`POST ${HOME}/interactions`, { ...KEY, 'Content-Type': 'application/json' }, body);

t.test('a request that comes byte by byte is answered like any other', async (t) => {
  const wire = await Wire.open(server.url);
  void wire.writeInPieces(Buffer.from(post(tap('byte-by-byte'))), 1);
  const answer = await wire.answer();
  t.equal(answer?.status, 200);
  t.match(JSON.parse(String(answer?.body)), { ok: true, requestId: 'byte-by-byte' });
  wire.drop();
});

t.test('a request cut anywhere into two segments is answered like any other', async (t) => {
  const text = Buffer.from(post(tap('in-two')));
  const cuts = Array.from({ length: text.length - 1 }, (_, index) => index + 1).filter((cut) => cut % 7 === 0);
  const wire = await Wire.open(server.url);
  for (const cut of cuts) {
    void wire.writeInPieces(text, cut);
    const answer = await wire.answer();
    if (answer?.status !== 200) t.fail(`cut at ${cut}: ${answer?.status}`);
  }
  t.ok(cuts.length > 20, 'one connection served them all');
  wire.drop();
});

t.test('requests in one segment are answered in their order when each can be answered at once', async (t) => {
  const wire = await Wire.open(server.url);
  const paths = ['/healthz', '/readyz', '/service/sessions', '/none', '/healthz'];
  void wire.write(paths.map((path) => requestText(`GET ${path}`, KEY)).join(''));
  const statuses = [];
  for (const _ of paths) statuses.push((await wire.answer())?.status);
  t.same(statuses, [200, 200, 200, 404, 200]);
  wire.drop();
});

t.test(
  'a second request behind one that still waits closes the connection, and what was asked for still happens',
  async (t) => {
    const wire = await Wire.open(server.url);
    void wire.write(post(tap('first-of-two')) + requestText('GET /healthz'));
    t.equal(await wire.answer(), undefined);
    await wire.closed;
    const again = await exchange(server.url, post(tap('first-of-two')));
    t.match(JSON.parse(String(again?.body)), { ok: true, requestId: 'first-of-two', status: 'completed' });
  },
);

t.test('a body that is cut off in the middle has no effect', async (t) => {
  const text = post(tap('never-complete'));
  for (const how of ['finish', 'reset'] as const) {
    const wire = await Wire.open(server.url);
    await wire.write(text.slice(0, -10));
    wire.drop(how);
    t.equal(await wire.answer(), undefined, how);
  }
  const cancel = await server.rest.call<{ cancelled: boolean }>('DELETE', `${HOME}/interactions/never-complete`);
  t.equal(cancel.body.cancelled, false, 'nothing runs under its id');
  const device = await server.inspect('ios', session.id);
  t.ok(device);
});

t.test('a very long address or header is answered or refused, and harms nobody', async (t) => {
  for (const length of [2_000, 5_000, 20_000, 100_000]) {
    const long = 'x'.repeat(length);
    const path = await exchange(server.url, requestText(`GET /service/${long}`, KEY));
    if (path) t.equal(envelopeFault('not_found', path.status, path.body.toString()), undefined, `path of ${length}`);
    const header = await exchange(server.url, requestText('GET /healthz', { 'X-Long': long }));
    if (header) t.equal(header.status, 200, `header of ${length}`);
    t.equal((await exchange(server.url, requestText('GET /healthz')))?.status, 200);
  }
});

t.test('bytes that are no HTTP request get no answer; the connection is closed', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`X-${index}`, '1']));
  const nonsense = {
    'a TLS greeting': Buffer.from('160301020001000001fc0303', 'hex'),
    'zero bytes': Buffer.alloc(64),
    'an old version': 'GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n',
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'line feeds alone': 'GET /healthz HTTP/1.1\nHost: x\n\n',
    'a proxy request': `GET ${server.url}/healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
    'an invented method': 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'a small method': 'get /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'too many headers': requestText('GET /healthz', many),
    'a folded header': 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n',
    'a space before the colon': 'GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n',
    'half a head': 'GET /healthz HTT',
  };
  // Some are closed at once and some when the library stops waiting, so all at the same time.
  await Promise.all(
    Object.entries(nonsense).map(async ([name, bytes]) => {
      const answer = await exchange(server.url, bytes);
      t.equal(answer?.status, undefined, name);
    }),
  );
});

t.test(
  'meanwhile every tap of another client was completed, no exception got away and the server still serves',
  async (t) => {
    t.ok((await bystander.stop()) > 0);
    t.same(faults(), []);
    t.match(await server.rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), {
      status: 200,
      body: { ok: true },
    });
  },
);
