import { CLOSE, type ErrorCode, LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import type { ViewerClaims } from '../../server/account/viewer-tokens.ts';
import { UpgradeGate } from '../../server/control/upgrade.ts';
import { type Bearer, Quota } from '../../server/flow/quota.ts';
import { type LiveSession, SOCKET_TERMS } from '../../server/session/live-session.ts';
import type { SessionRegistry } from '../../server/session/session-registry.ts';
import type { HttpHead } from '../../server/socket/http.ts';
import { ManualClock } from '../account/manual-clock.ts';
import * as bearers from '../support/bearers.ts';
import { envelopeFault } from '../support/envelope.ts';
import { UPGRADE_HEADERS } from '../support/frames.ts';

const OWN = 'https://devices.example.com';
const FRIEND = 'https://friend.example';

/** The sockets of a session by their bearers. */
function socketsOf(...all: readonly (readonly [bearer: Bearer, count: number])[]): Quota {
  const sockets = new Quota(SOCKET_TERMS, new ManualClock());
  for (const [bearer, count] of all) for (let index = 0; index < count; index++) sockets.add(bearer);
  return sockets;
}

/** A gate before one iOS session, `ses_1` of `acc_1`, with as many sockets as the test says. */
function gateWith(socketQuota = socketsOf(), onLook = () => {}, clock = new ManualClock()): UpgradeGate {
  const session = {
    socketQuota,
    facts: { id: 'ses_1', platform: 'ios', embedOrigins: [FRIEND] },
  } as unknown as LiveSession;
  const registry = {
    active({ accountId }: { accountId: string }, platform: string, id: string) {
      if (accountId === 'acc_1' && platform === 'ios' && id === 'ses_1') return session;
      throw new ServiceError('active_session_not_found');
    },
  } as unknown as SessionRegistry;
  const claims: Record<string, Partial<ViewerClaims>> = {
    control: { role: 'control' },
    view: { role: 'view' },
    'link-control': { role: 'control', linkId: 'lnk_1' },
    'link-view': { role: 'view', linkId: 'lnk_1' },
    another: { role: 'view', linkId: 'lnk_2' },
    other: { sessionId: 'ses_2' },
    foreign: { accountId: 'acc_2' },
  };
  return new UpgradeGate({
    clock,
    registry,
    authenticate: (head) => {
      const header = head.header('authorization');
      onLook();
      const accountId = header === 'Bearer mine' ? 'acc_1' : header === 'Bearer theirs' ? 'acc_2' : undefined;
      return accountId === undefined
        ? undefined
        : { accountId, organizationId: 'org', keyId: 'key_1', accountName: 'a' };
    },
    verifyToken: (token) => {
      const known = claims[token];
      return known && { sessionId: 'ses_1', accountId: 'acc_1', role: 'control', expiresAtMs: 7, ...known };
    },
    bearerOf: (head) => head.header('authorization'),
    visitorOf: () => undefined,
    ownOrigin: () => OWN,
    rateLimiter: () => undefined,
    keylessAllowance: () => undefined,
  });
}

interface Case {
  readonly path?: string;
  readonly query?: string;
  /** `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const RIGHT = Object.fromEntries(Object.entries(UPGRADE_HEADERS).map(([name, value]) => [name.toLowerCase(), value]));

function headOf({ path = '/service/ios/ses_1/control', query = '', headers = {} }: Case): HttpHead {
  const all: Record<string, string | undefined> = { ...RIGHT, ...headers };
  const rest = { header: (name: string) => all[name], onGone: () => undefined };
  return { method: 'GET', path, query, address: '127.0.0.1', network: '127.0.0.1', ...rest };
}

/** The code of the refusal, checked to be a whole envelope; `undefined` when the gate lets the request in. */
function refusalOf(parts: Case, gate = gateWith()): ErrorCode | undefined {
  const admission = gate.admit(headOf(parts));
  if (admission.admitted) return undefined;
  const body = String(admission.reply.body);
  const { code } = JSON.parse(body).error as { code: ErrorCode };
  const fault = envelopeFault(code, admission.reply.status, body);
  if (fault !== undefined) throw new Error(fault);
  return code;
}

const KEY = { authorization: 'Bearer mine' };

t.test('a valid handshake with a key is admitted with the role control, whatever the origin', async (t) => {
  t.equal(refusalOf({ headers: KEY }), undefined);
  t.equal(refusalOf({ headers: { ...KEY, origin: 'https://evil.example' } }), undefined);
  const admission = gateWith().admit(headOf({ headers: KEY }));
  t.match(admission, { admitted: true, credential: { role: 'control', accountId: 'acc_1', keyId: 'key_1' } });
});

t.test('a token is admitted with its own role until its own expiry, from an allowed origin', async (t) => {
  for (const role of ['control', 'view']) {
    for (const origin of [OWN, FRIEND]) {
      const admission = gateWith().admit(headOf({ query: `token=${role}`, headers: { origin } }));
      t.match(admission, { admitted: true, credential: { role, expiresAtMs: 7 } }, `${role} from ${origin}`);
      if (admission.admitted) t.notOk('keyId' in admission.credential, 'no key stands behind it');
    }
  }
});

t.test('a token for control can ask for less, and none for more', async (t) => {
  for (const { query, role } of [
    { query: 'token=control&role=view', role: 'view' },
    { query: 'token=control&role=owner', role: 'control' },
    { query: 'token=view&role=control', role: 'view' },
  ]) {
    const admission = gateWith().admit(headOf({ query, headers: { origin: OWN } }));
    t.match(admission, { admitted: true, credential: { role } }, query);
  }
});

const REFUSALS: readonly (readonly [string, ErrorCode, Case])[] = [
  ['no credential', 'authentication_required', {}],
  ['an unknown key', 'authentication_required', { headers: { authorization: 'Bearer nobody' } }],
  ['a token that does not verify', 'authentication_required', { query: 'token=forged', headers: { origin: OWN } }],
  ['an empty token', 'authentication_required', { query: 'token=', headers: { origin: OWN } }],
  ['a bad token beside a good key', 'authentication_required', { query: 'token=forged', headers: KEY }],
  ['a key in the address', 'authentication_required', { query: 'key=mine&api_key=mine' }],
  ['a token for another session', 'authentication_required', { query: 'token=other', headers: { origin: OWN } }],
  ['no credential and no upgrade either', 'authentication_required', { headers: { upgrade: undefined } }],
  ['no credential for an unknown session', 'authentication_required', { path: '/service/ios/ses_9/control' }],
  ['an unknown session', 'active_session_not_found', { path: '/service/ios/ses_9/control', headers: KEY }],
  ['the other platform', 'active_session_not_found', { path: '/service/android/ses_1/control', headers: KEY }],
  ["another account's key", 'active_session_not_found', { headers: { authorization: 'Bearer theirs' } }],
  [
    "another account's token",
    'active_session_not_found',
    { query: 'token=foreign', headers: { origin: 'https://evil.example' } },
  ],
  [
    'an unknown session without an upgrade',
    'active_session_not_found',
    { path: '/service/ios/ses_9/control', headers: { ...KEY, upgrade: undefined } },
  ],
  ['a path of the library that is no route', 'not_found', { path: '/service/windows/ses_1/control', headers: KEY }],
  ['a token without an origin', 'origin_not_allowed', { query: 'token=control' }],
  ['a foreign origin', 'origin_not_allowed', { query: 'token=control', headers: { origin: 'https://evil.example' } }],
  ['an opaque origin', 'origin_not_allowed', { query: 'token=view', headers: { origin: 'null' } }],
  [
    'an origin that only begins alike',
    'origin_not_allowed',
    { query: 'token=view', headers: { origin: `${OWN}.evil.example` } },
  ],
  ['an allowed origin with a slash', 'origin_not_allowed', { query: 'token=view', headers: { origin: `${OWN}/` } }],
  [
    'an allowed origin by another scheme',
    'origin_not_allowed',
    { query: 'token=view', headers: { origin: OWN.replace('https', 'http') } },
  ],
  [
    'a foreign origin without an upgrade',
    'origin_not_allowed',
    { query: 'token=view', headers: { upgrade: undefined } },
  ],
  ['no upgrade', 'upgrade_required', { headers: { ...KEY, upgrade: undefined } }],
  ['another upgrade', 'upgrade_required', { headers: { ...KEY, upgrade: 'h2c' } }],
  ['no connection header', 'upgrade_required', { headers: { ...KEY, connection: 'keep-alive' } }],
  ['an old version', 'upgrade_required', { headers: { ...KEY, 'sec-websocket-version': '8' } }],
  ['no version', 'upgrade_required', { headers: { ...KEY, 'sec-websocket-version': undefined } }],
  ['no handshake key', 'upgrade_required', { headers: { ...KEY, 'sec-websocket-key': undefined } }],
  [
    'a handshake key that is not base64',
    'upgrade_required',
    { headers: { ...KEY, 'sec-websocket-key': '!'.repeat(24) } },
  ],
  [
    'a handshake key of other than 16 bytes',
    'upgrade_required',
    { headers: { ...KEY, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZSEh' } },
  ],
  ['no sub-protocol', 'upgrade_required', { headers: { ...KEY, 'sec-websocket-protocol': undefined } }],
  [
    'another sub-protocol',
    'upgrade_required',
    { headers: { ...KEY, 'sec-websocket-protocol': 'runcloud.v2, graphql-ws' } },
  ],
  [
    'a sub-protocol that only begins alike',
    'upgrade_required',
    { headers: { ...KEY, 'sec-websocket-protocol': 'runcloud.v10' } },
  ],
];

for (const [name, code, parts] of REFUSALS) {
  t.test(`${name} is refused with ${code}`, async (t) => {
    t.equal(refusalOf(parts), code);
  });
}

t.test('lists and letter case in handshake headers are read as RFC 6455 says', async (t) => {
  const headers = {
    ...KEY,
    upgrade: 'WebSocket',
    connection: 'keep-alive, Upgrade',
    'sec-websocket-protocol': 'other, runcloud.v1',
  };
  t.equal(refusalOf({ headers }), undefined);
});

t.test('a session takes as many sockets as the limit and answers the next with a time to wait', async (t) => {
  const { socketsPerSession: all } = LIMITS;
  t.equal(refusalOf({ headers: KEY }, gateWith(socketsOf([bearers.KEY, all - 1]))), undefined);
  const admission = gateWith(socketsOf([bearers.KEY, all])).admit(headOf({ headers: KEY }));
  t.match(admission, { admitted: false, reply: { status: 429, headers: { 'Retry-After': '5' } } });
});

t.test(
  'a caller that retries at a full session is refused without a look-up, and strangers learn nothing by that',
  async (t) => {
    let looks = 0;
    const gate = gateWith(socketsOf([bearers.KEY, LIMITS.socketsPerSession]), () => looks++);
    for (let index = 0; index < 100; index++) t.equal(refusalOf({ headers: KEY }, gate), 'rate_limited');
    t.equal(looks, 1);
    t.equal(refusalOf({ headers: { authorization: 'Bearer wrong' } }, gate), 'authentication_required');
    t.equal(refusalOf({}, gate), 'authentication_required');
  },
);

t.test('a link that opens sockets without end is refused, the same answer again and again for a second', async (t) => {
  const clock = new ManualClock();
  const gate = gateWith(socketsOf(), () => {}, clock);
  const link = headOf({ query: 'token=link-view', headers: { origin: OWN } });
  const atOnce = LIMITS.socketsPerLink + LIMITS.linkSocketsOpenedPerSecond;
  for (let index = 0; index < atOnce; index++) if (!gate.admit(link).admitted) t.fail(`refused after ${index}`);
  const first = gate.admit(link);
  t.match(first, { admitted: false, reply: { status: 429, headers: { 'Retry-After': '1' } } });
  t.same(gate.admit(link), first);
  t.equal(refusalOf({ query: 'token=another', headers: { origin: OWN } }, gate), undefined);
  clock.advance(1_000);
  t.equal(gate.admit(link).admitted, true);
});

t.test('a link is refused the socket after its last, and neither its owner nor another link is', async (t) => {
  const full = socketsOf([bearers.viewerLink('lnk_1'), LIMITS.socketsPerLink]);
  for (const role of ['view', 'control']) {
    const link = { query: `token=link-${role}`, headers: { origin: OWN } };
    const admission = gateWith(full).admit(headOf(link));
    if (admission.admitted) throw new Error('it was admitted');
    t.match(JSON.parse(String(admission.reply.body)).error, {
      code: 'rate_limited',
      message: /^This link has 500 sockets, as many as one link may have\. Use fewer, or another link\.$/,
    });
  }
  for (const other of ['view', 'control', 'another']) {
    t.equal(refusalOf({ query: `token=${other}`, headers: { origin: OWN } }, gateWith(full)), undefined, other);
  }
  t.equal(refusalOf({ headers: KEY }, gateWith(full)), undefined);
});

t.test('a refusal names the platform and session of the address, and nothing of the credential', async (t) => {
  const admission = gateWith().admit(headOf({ query: 'token=forged-secret' }));
  if (admission.admitted) throw new Error('it was admitted');
  const body = String(admission.reply.body);
  t.match(JSON.parse(body), { platform: 'ios', sessionId: 'ses_1' });
  t.notMatch(body, /forged-secret/);
});

t.test('a socket that has waited is closed if its credential or its session is gone since', async (t) => {
  const [parts, token] = [headOf({ headers: KEY }), headOf({ query: 'token=control', headers: { origin: OWN } })];
  for (const head of [parts, token]) {
    const gate = gateWith();
    const admission = gate.admit(head);
    if (!admission.admitted) throw new Error('refused');
    const { session, credential } = admission;
    t.equal(gate.reasonToClose(head, session, credential), undefined);
    const revoked = headOf({ query: head.query.replace('control', 'forged'), headers: { authorization: undefined } });
    t.equal(gate.reasonToClose(revoked, session, credential), CLOSE.revoked);
    const ended = { ...session, facts: { ...session.facts, platform: 'android' } } as unknown as LiveSession;
    t.equal(gate.reasonToClose(head, ended, credential), CLOSE.ended);
  }
});
