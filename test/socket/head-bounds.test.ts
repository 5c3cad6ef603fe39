import t from 'tap';
import { listen } from '../support/listen.ts';
import { exchange, requestText, Wire } from '../support/wire.ts';

/** A listener that answers with the method, the path, the query, and the body of a request. */
const listener = await listen({
  host: '127.0.0.1',
  port: 0,
  http: {
    begin: (head) => {
      const told = `${head.method} ${head.path} ${head.query}`;
      if (head.header('content-length') === undefined) return { status: 200, body: told };
      return {
        receive: (body) => ({ status: 200, body: `${told} ${Buffer.from(body)}` }),
        refuse: (code) => ({ status: 413, body: code }),
      };
    },
  },
  sockets: { upgrade: () => ({ status: 403, headers: { 'X-Who': 'the gate' }, body: 'no socket' }) },
  onFault: (error) => void t.fail(String(error)),
});
const url = `http://127.0.0.1:${listener.port}`;
t.teardown(() => listener.close());

const SOCKET = '/service/ios/ses_x/control';
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

t.test('an upgrade to a protocol that is not spoken is ignored, and the connection goes on', async (t) => {
  const asked = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
  const wire = await Wire.open(url);
  t.teardown(() => wire.drop());
  for (let round = 0; round < 3; round++) {
    void wire.write(requestText('GET /a?b=c', asked));
    t.equal(String((await wire.answer())?.body), 'GET /a b=c');
    void wire.write(requestText('POST /p', asked, 'with a body'));
    t.equal(String((await wire.answer())?.body), 'POST /p  with a body');
  }
  const text = requestText('POST /late', asked, 'cut in two');
  void wire.write(text.slice(0, -4));
  await new Promise((resolve) => setTimeout(resolve, 30));
  void wire.write(text.slice(-4) + requestText('GET /next'));
  t.equal(String((await wire.answer())?.body), 'POST /late  cut in two');
  t.equal(String((await wire.answer())?.body), 'GET /next ');
});

t.test('an upgrade to a socket is judged where there are sockets, and ignored elsewhere', async (t) => {
  const refused = await exchange(url, requestText(`GET ${SOCKET}?token=x`, UPGRADE));
  t.match([refused?.status, refused?.headers.get('x-who'), String(refused?.body)], [403, 'the gate', 'no socket']);
  for (const line of ['GET /elsewhere', `GET ${SOCKET}/more`, 'GET /service/ios/control', `POST ${SOCKET}`]) {
    t.equal(String((await exchange(url, requestText(line, UPGRADE)))?.body), `${line} `, line);
  }
  const keyless = requestText(`GET ${SOCKET}`, { ...UPGRADE, 'Sec-WebSocket-Key': 'short' });
  t.equal(String((await exchange(url, keyless))?.body), `GET ${SOCKET} `);
});

t.test('upgrades behind other requests in the same segment are served in their order', async (t) => {
  const asked = { Connection: 'Upgrade', Upgrade: 'h2c' };
  const wire = await Wire.open(url);
  t.teardown(() => wire.drop());
  const first = requestText('GET /1') + requestText('POST /2', {}, 'two') + requestText('GET /3', asked);
  void wire.write(first + requestText('GET /4') + requestText(`GET ${SOCKET}`, UPGRADE));
  const bodies = [];
  for (let count = 0; count < 5; count++) bodies.push(String((await wire.answer())?.body));
  t.same(bodies, ['GET /1 ', 'POST /2  two', 'GET /3 ', 'GET /4 ', 'no socket']);
});

t.test('an answer with a query has all of it, also one with further question marks', async (t) => {
  t.equal(String((await exchange(url, requestText('GET /a?b=?&c=%3F')))?.body), 'GET /a b=?&c=%3F');
});

t.test('a head that comes slowly or never ends, and a connection without a word, are closed in time', async (t) => {
  const silent = await Wire.open(url);
  const slow = await Wire.open(url);
  const answered = await Wire.open(url);
  void answered.write(requestText('GET /'));
  t.equal((await answered.answer())?.status, 200);
  let at = 0;
  const text = requestText('GET /', { 'X-Long': 'x'.repeat(1_000) });
  const trickle = setInterval(() => void slow.write(text.charAt(at++)), 100);
  t.teardown(() => clearInterval(trickle));
  await Promise.all([silent.closed, slow.closed, answered.closed]);
  t.ok(at < text.length, 'before it was whole');
});
