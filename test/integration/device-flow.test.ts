import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';
import { exchange, requestText } from '../support/wire.ts';

const server = await startServer();
t.teardown(() => server.close());
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const CLI = 'runcloud-cli';

interface OAuthAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, string>>;
}

async function post(path: string, form: string | Record<string, string>, contentType?: string): Promise<OAuthAnswer> {
  const response = await fetch(`${server.url}/oauth/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': contentType ?? 'application/x-www-form-urlencoded' },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as OAuthAnswer['body'] };
}

const begin = () => post('device_authorization', { client_id: CLI, device_name: "Ada's laptop" });
const poll = (device_code = '') => post('token', { grant_type: DEVICE_GRANT, client_id: CLI, device_code });
const refresh = (refresh_token = '') => post('token', { grant_type: 'refresh_token', client_id: CLI, refresh_token });

/** Lets a program in and answers with its tokens. */
async function letIn(): Promise<Readonly<Record<string, string>>> {
  const { body } = await begin();
  await server.rest.call('POST', `/service/account/device-requests/${body.user_code}`, { decision: 'approve' });
  return (await poll(body.device_code)).body;
}

t.test('a program asks, a person approves it in the dashboard, and it acts as the account', async (t) => {
  const { status, headers, body } = await begin();
  t.equal(status, 200);
  t.equal(headers.get('cache-control'), 'no-store');
  t.match(body, {
    device_code: /^rcd_\w{38}$/,
    user_code: /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/,
    verification_uri: `${server.url}/dashboard/device`,
    verification_uri_complete: `${server.url}/dashboard/device?user_code=${body.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const pending = await poll(body.device_code);
  t.match(pending, { status: 400, body: { error: 'authorization_pending' } });
  t.match((await poll(body.device_code)).body, { error: 'slow_down' }, 'it comes back at once');

  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir);
  const path = `/service/account/device-requests/${body.user_code}`;
  const shown = await browser.call('GET', path);
  t.match(shown.body, { client: 'RunCloud command line', deviceName: "Ada's laptop", address: '127.0.0.1' });
  t.same((await browser.call('POST', path, { decision: 'approve' })).body, {
    userCode: body.user_code,
    approved: true,
  });
  t.equal((await browser.fetch('GET', path)).status, 404, 'there is nothing left to decide');

  const second = await begin();
  await browser.call('POST', `/service/account/device-requests/${second.body.user_code}`, { decision: 'deny' });
  t.match(await poll(second.body.device_code), { status: 400, body: { error: 'access_denied' } });
});

t.test('the access token is taken wherever a key is, until the program is shut out', async (t) => {
  const { access_token, refresh_token, token_type, expires_in } = await letIn();
  t.strictSame([token_type, expires_in], ['Bearer', 3600]);
  t.match(refresh_token, /^rcr_/);
  const rest = new RestClient(server.url, access_token ?? '');
  const session = await rest.createSession('ios');
  t.match((await rest.call('GET', '/service/account')).body, { name: 'local', credential: { kind: 'token' } });
  const control = await ControlClient.connect(server.url, session, rest.authorization);
  const { body } = await rest.call<{ tokens: { id: string }[] }>('GET', '/service/account/tokens');
  const mine = body.tokens[0]?.id ?? '';
  t.match((await server.rest.call('DELETE', `/service/account/tokens/${mine}`)).body, { id: mine, revoked: true });
  t.equal((await control.closed).code, 4401, 'its sockets are closed');
  t.equal((await rest.call('GET', '/service/sessions')).status, 401);
  t.match((await refresh(refresh_token)).body, { error: 'invalid_grant' });
  await server.rest.releaseSession(session.id);
});

t.test('a refresh token works once; one that comes back ends the program', async (t) => {
  const first = await letIn();
  const second = await refresh(first.refresh_token);
  t.equal(second.status, 200);
  t.not(second.body.access_token, first.access_token);
  const rest = new RestClient(server.url, second.body.access_token ?? '');
  t.equal((await rest.call('GET', '/service/account')).status, 200);
  const reused = await refresh(first.refresh_token);
  t.match(reused, { status: 400, body: { error: 'invalid_grant' } });
  t.match((await refresh(second.body.refresh_token)).body, { error: 'invalid_grant' });
  t.equal((await rest.call('GET', '/service/account')).status, 401);
});

t.test(
  'of two that refresh at the same moment one has tokens that work; the other shuts the program out',
  async (t) => {
    const { refresh_token } = await letIn();
    const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
    const ask = async ({ body }: (typeof answers)[number]) =>
      (await new RestClient(server.url, body.access_token ?? '').call('GET', '/service/account')).status;
    const statuses = await Promise.all(answers.map(ask));
    t.same([...statuses].sort(), [200, 401]);
    const [loser, winner] = statuses[0] === 401 ? answers : [...answers].reverse();
    t.match((await refresh(loser?.body.refresh_token)).body, { error: 'invalid_grant' });
    t.match((await refresh(winner?.body.refresh_token)).body, { error: 'invalid_grant' });
  },
);

t.test('giving a token back answers 200, also to what is none', async (t) => {
  const { access_token, refresh_token } = await letIn();
  for (const token of ['nonsense', refresh_token ?? '', refresh_token ?? '']) {
    t.equal((await post('revoke', { token, token_type_hint: 'anything' })).status, 200);
  }
  const rest = new RestClient(server.url, access_token ?? '');
  t.equal((await rest.call('GET', '/service/account')).status, 401);
});

t.test('every malformed request has the error of RFC 6749', async (t) => {
  const device_code = (await begin()).body.device_code ?? '';
  const cases: readonly (readonly [string, string, string | Record<string, string>, string, number?])[] = [
    ['no client', 'device_authorization', {}, 'invalid_request'],
    ['an unknown client', 'device_authorization', { client_id: 'other' }, 'invalid_client', 401],
    ['a scope', 'device_authorization', { client_id: CLI, scope: 'all' }, 'invalid_scope'],
    ['a name of two lines', 'device_authorization', { client_id: CLI, device_name: 'a\nb' }, 'invalid_request'],
    ['a name too long', 'device_authorization', { client_id: CLI, device_name: 'x'.repeat(65) }, 'invalid_request'],
    [
      'a name that turns the text around',
      'device_authorization',
      { client_id: CLI, device_name: 'a\u202eb' },
      'invalid_request',
    ],
    ['a parameter twice', 'device_authorization', `client_id=${CLI}&client_id=${CLI}`, 'invalid_request'],
    ['no grant type', 'token', { client_id: CLI }, 'invalid_request'],
    ['another grant type', 'token', { grant_type: 'password', client_id: CLI }, 'unsupported_grant_type'],
    ['no device code', 'token', { grant_type: DEVICE_GRANT, client_id: CLI }, 'invalid_request'],
    ['no client at the token', 'token', { grant_type: DEVICE_GRANT, device_code }, 'invalid_request'],
    ['another client', 'token', { grant_type: DEVICE_GRANT, device_code, client_id: 'other' }, 'invalid_client', 401],
    ['a made-up code', 'token', { grant_type: DEVICE_GRANT, device_code: 'x', client_id: CLI }, 'invalid_grant'],
    ['no refresh token', 'token', { grant_type: 'refresh_token', client_id: CLI }, 'invalid_request'],
    [
      'an empty one counts as none',
      'token',
      `grant_type=refresh_token&client_id=${CLI}&refresh_token=`,
      'invalid_request',
    ],
    [
      'a made-up refresh token',
      'token',
      { grant_type: 'refresh_token', client_id: CLI, refresh_token: 'x' },
      'invalid_grant',
    ],
    ['nothing to give back', 'revoke', {}, 'invalid_request'],
  ];
  for (const [name, path, form, error, status = 400] of cases) {
    const answer = await post(path, form);
    t.match(answer, { status, body: { error, error_description: /^[\x20-\x7e]+$/ } }, name);
    t.equal(answer.headers.get('cache-control'), 'no-store', name);
  }
  const json = await post('token', JSON.stringify({ grant_type: DEVICE_GRANT }), 'application/json');
  t.match(json, { status: 400, body: { error: 'invalid_request' } });
});

t.test('a request that a page of another site makes its visitors send is refused', async (t) => {
  const foreign: readonly Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ];
  const ask = (headers: Record<string, string>) =>
    exchange(
      server.url,
      requestText('POST /oauth/device_authorization', {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
        'Content-Length': '22',
      }).concat('client_id=runcloud-cli'),
    );
  for (const headers of foreign) {
    const answer = await ask(headers);
    t.equal(answer?.status, 403, JSON.stringify(headers));
    t.match(JSON.parse(answer?.body.toString() ?? '{}'), { error: { code: 'origin_not_allowed' } });
  }
  for (const headers of [{}, { 'Sec-Fetch-Site': 'none' }, { 'Sec-Fetch-Site': 'same-origin', Origin: server.url }]) {
    t.equal((await ask(headers))?.status, 200, JSON.stringify(headers));
  }
});

t.test('one network that asks for codes without end leaves room for everybody else', async (t) => {
  const ask = async (address: string) => {
    const response = await fetch(`${server.url}/oauth/device_authorization`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address },
      body: 'client_id=runcloud-cli',
    });
    return { status: response.status, wait: response.headers.get('retry-after'), body: await response.json() };
  };
  const hostile = [];
  for (let n = 0; n < 30; n++) hostile.push(await ask('198.51.100.7'));
  t.equal(hostile.filter(({ status }) => status === 200).length, LIMITS.deviceRequestsPerAddress);
  t.match(hostile.at(-1), { status: 429, wait: /^[0-9]+$/, body: { error: 'slow_down' } });
  t.equal((await ask('203.0.113.9')).status, 200);
});

t.test('the document of RFC 8414 tells where everything is', async (t) => {
  const metadata = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json();
  t.match(metadata, {
    issuer: server.url,
    device_authorization_endpoint: `${server.url}/oauth/device_authorization`,
    token_endpoint: `${server.url}/oauth/token`,
    revocation_endpoint: `${server.url}/oauth/revoke`,
    grant_types_supported: [DEVICE_GRANT, 'refresh_token'],
  });
});
