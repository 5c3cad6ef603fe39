import type { ErrorCode } from '@runcloud/protocol';
import t from 'tap';
import { Bystander } from '../support/bystander.ts';
import { envelopeFault } from '../support/envelope.ts';
import { SOCKETS } from '../support/listen.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import { watchFaults } from '../support/watch-faults.ts';
import { exchange, requestText, Wire } from '../support/wire.ts';

const faults = watchFaults();
const server = await startServer();
const session = await server.rest.createSession('ios');
const bystander = await Bystander.start(server);
t.teardown(() => server.close());

const KEY = { Authorization: server.rest.authorization };
const HOME = `/service/ios/${session.id}`;

async function faultOf(code: ErrorCode, request: string | Uint8Array): Promise<string | undefined> {
  const answer = await exchange(server.url, request);
  return answer ? envelopeFault(code, answer.status, answer.body.toString()) : 'no answer';
}

t.test(
  'without a right key in the right header every address of the service answers 401, an unknown one too',
  async (t) => {
    const none: readonly (readonly [string, Record<string, string>])[] = [
      ['no header', {}],
      ['an empty header', { Authorization: '' }],
      ['another scheme', { Authorization: `Basic ${Buffer.from(`x:${TEST_KEY}`).toString('base64')}` }],
      ['no scheme', { Authorization: TEST_KEY }],
      ['no key', { Authorization: 'Bearer' }],
      ['a wrong key', { Authorization: `Bearer ${TEST_KEY}x` }],
      ['two keys', { Authorization: `Bearer ${TEST_KEY} ${TEST_KEY}` }],
      ['quotes', { Authorization: `Bearer "${TEST_KEY}"` }],
      ['a comma', { Authorization: `Bearer ${TEST_KEY},` }],
      ['a long key', { Authorization: `Bearer ${'x'.repeat(3_000)}` }],
      ['garbled bytes', { Authorization: 'Bearer \u00ff\u00fe\u0080' }],
      ['another header', { 'X-Api-Key': TEST_KEY }],
      ['a cookie', { Cookie: `Authorization=Bearer ${TEST_KEY}` }],
    ];
    for (const [name, headers] of none) {
      for (const line of [
        'GET /service/sessions',
        `GET ${HOME}/screenshot`,
        `GET ${HOME}/control`,
        'GET /service/nothing',
        'PUT /service/sessions',
      ]) {
        const answer = await exchange(server.url, Buffer.from(requestText(line, headers), 'latin1'));
        t.equal(
          envelopeFault('authentication_required', answer?.status ?? 0, String(answer?.body)),
          undefined,
          `${name}: ${line}`,
        );
        t.equal(answer?.headers.get('www-authenticate'), 'Bearer', `${name}: ${line}`);
      }
    }
  },
);

t.test('a key in the address opens nothing and never comes back', async (t) => {
  for (const place of ['key', 'api_key', 'token', 'access_token', 'Authorization']) {
    for (const path of [
      '/service/sessions',
      `${HOME}/screenshot`,
      `${HOME}/control`,
      `/service/sessions/${TEST_KEY}`,
    ]) {
      t.equal(
        await faultOf('authentication_required', requestText(`GET ${path}?${place}=${TEST_KEY}`)),
        undefined,
        `${place} ${path}`,
      );
    }
  }
});

t.test('the scheme may be written in any case and with more than one space', async (t) => {
  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    const answer = await exchange(
      server.url,
      requestText('GET /service/sessions', { Authorization: `${scheme} ${TEST_KEY}` }),
    );
    t.equal(answer?.status, 200, scheme);
  }
});

t.test('paths that are no route answer 404, whatever they hope to be normalised to', async (t) => {
  const tricks = ['/', '//', '/service', '/service/', '/service/sessions/', '//service/sessions', '/service//sessions'];
  const dots = [
    '/service/./sessions',
    '/service/ios/../sessions',
    '/service/%2e%2e/healthz',
    '/%2e%2e/%2e%2e/etc/passwd',
  ];
  const escapes = [
    '/service%2fsessions',
    '/service/sessions%00',
    '/service/sessions%20',
    '/service/sessions;x',
    '/SERVICE/sessions',
  ];
  const near = [
    `${HOME}/screenshot/`,
    `${HOME}/screenshots`,
    `${HOME}/`,
    `/service/windows/${session.id}/screenshot`,
    `${HOME}%2fscreenshot`,
  ];
  for (const path of [...tricks, ...dots, ...escapes, ...near]) {
    t.equal(await faultOf('not_found', requestText(`GET ${path}`, KEY)), undefined, path);
  }
  t.equal(
    await faultOf('not_found', `GET /\u00e9\u00ff HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY.Authorization}\r\n\r\n`),
    // Bytes that have no place in an address are no request for Node.js.
    SOCKETS === 'ws' ? 'no answer' : undefined,
  );
});

t.test('an id is taken as it came: an escaped, dotted or endless one is an unknown session', async (t) => {
  const ids = [
    session.id.replace('_', '%5f'),
    '%2e%2e',
    '..',
    '.',
    'x'.repeat(3_000),
    '%00',
    `${session.id}%20`,
    '{sessionId}',
  ];
  for (const id of ids) {
    t.equal(
      await faultOf('active_session_not_found', requestText(`GET /service/ios/${id}/screenshot`, KEY)),
      undefined,
      id.slice(0, 40),
    );
    t.equal(
      await faultOf('session_not_found', requestText(`GET /service/sessions/${id}`, KEY)),
      undefined,
      id.slice(0, 40),
    );
  }
});

t.test('a known address answers another method with 405 and tells those that it takes', async (t) => {
  const table: readonly (readonly [string, string])[] = [
    ['PUT /service/sessions', 'POST, GET, HEAD'],
    ['PATCH /service/sessions', 'POST, GET, HEAD'],
    ['OPTIONS /service/sessions', 'POST, GET, HEAD'],
    [`POST /service/sessions/${session.id}`, 'GET, HEAD, DELETE'],
    [`GET ${HOME}/interactions`, 'POST'],
    [`HEAD ${HOME}/interactions`, 'POST'],
    [`PUT ${HOME}/interactions/x`, 'DELETE, GET, HEAD'],
    [`DELETE ${HOME}/screenshot`, 'GET, HEAD'],
    [`PUT ${HOME}/control`, 'GET, HEAD, POST, DELETE'],
    ['DELETE /healthz', 'GET, HEAD'],
  ];
  for (const [line, allow] of table) {
    const wire = await Wire.open(server.url);
    void wire.write(requestText(line, KEY));
    const bodiless = line.startsWith('HEAD');
    const answer = await wire.answer({ bodiless });
    wire.drop();
    t.equal(answer?.headers.get('allow'), allow, line);
    if (bodiless) t.equal(answer?.status, 405, line);
    else t.equal(envelopeFault('method_not_allowed', answer?.status ?? 0, String(answer?.body)), undefined, line);
  }
});

t.test('HEAD has the status and headers of GET and no body', async (t) => {
  const headers = { ...KEY, 'X-Service-Request-ID': 'head-or-get' };
  for (const path of [
    '/healthz',
    '/service/sessions',
    `/service/sessions/${session.id}`,
    `${HOME}/screenshot`,
    '/service/sessions/none',
    '/none',
  ]) {
    const get = await exchange(server.url, requestText(`GET ${path}`, headers));
    const wire = await Wire.open(server.url);
    void wire.write(requestText(`HEAD ${path}`, headers));
    const head = await wire.answer({ bodiless: true });
    t.equal(head?.status, get?.status, path);
    const names = (answer: typeof head) => [...(answer?.headers.keys() ?? [])].filter((name) => name !== 'connection');
    t.same(names(head).sort(), names(get).sort(), path);
    const isLast = head?.headers.get('connection') === 'close';
    void wire.write(requestText('GET /healthz'));
    const next = (await wire.answer())?.body.toString();
    t.equal(next, isLast ? undefined : 'ok\n', `${path}: the connection goes on, unless it was said to end`);
    wire.drop();
  }
});

t.test('an unknown or misspelt query parameter of the list is named', async (t) => {
  for (const [query, named] of [
    ['platfrom=ios', 'platfrom'],
    ['status=active&status=failed', 'status'],
    ['limits=1', 'limits'],
  ] as const) {
    const answer = await exchange(server.url, requestText(`GET /service/sessions?${query}`, KEY));
    t.equal(envelopeFault('invalid_request', answer?.status ?? 0, String(answer?.body)), undefined, query);
    t.ok(String(answer?.body).includes(`\\"${named}\\"`), query);
  }
});

t.test(
  'meanwhile every tap of another client was completed, no exception got away and the server still serves',
  async (t) => {
    t.ok((await bystander.stop()) > 0);
    t.same(faults(), []);
    t.equal((await server.rest.call('GET', '/service/sessions')).status, 200);
  },
);
