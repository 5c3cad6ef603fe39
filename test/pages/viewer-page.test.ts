import { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import type { ViewerClaims } from '../../server/account/viewer-tokens.ts';
import { ViewerPage } from '../../server/pages/viewer-page.ts';
import type { SessionRegistry } from '../../server/session/session-registry.ts';

const OWN = 'https://devices.example.com';
const FRIEND = 'https://friend.example';
const LOCAL = 'http://localhost:3000';

interface Case {
  readonly claims?: Partial<ViewerClaims>;
  readonly sessionOrigins?: readonly string[];
  readonly ownOrigin?: string;
  readonly fails?: Error;
  readonly releaseReason?: string;
}

/** The page of one iOS session, `ses_1` of `acc_1`, which the token `good` opens. */
function pageOf({ claims = {}, sessionOrigins = [], ownOrigin = OWN, fails, releaseReason }: Case = {}): ViewerPage {
  const registry = {
    read: ({ accountId }: { accountId: string }, id: string) => {
      if (accountId !== 'acc_1' || id !== 'ses_1') throw new ServiceError('session_not_found');
      return { id, platform: 'ios', releaseReason };
    },
    active: () => {
      if (fails) throw fails;
      return { facts: { id: 'ses_1', platform: 'ios', embedOrigins: sessionOrigins } };
    },
  } as unknown as SessionRegistry;
  const known: ViewerClaims = { sessionId: 'ses_1', accountId: 'acc_1', role: 'view', expiresAtMs: 7, ...claims };
  return new ViewerPage({
    registry,
    verifyToken: (token) => (token === 'good' ? known : undefined),
    accountOf: ({ header }) => header('cookie'),
    ownOrigin: () => ownOrigin,
  });
}

/** A browser that is signed in to the account that its cookie names. */
const browserOf = (account?: string) => ({ header: (name: string) => (name === 'cookie' ? account : undefined) });
const BROWSER = browserOf();

const policyOf = (parts: Case): Map<string, string> => {
  const { headers = {} } = pageOf(parts).serve('ses_1', 'good', BROWSER);
  const directives = (headers['Content-Security-Policy'] ?? '').split('; ');
  return new Map(directives.map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]));
};

const FRAMES: readonly (readonly [string, Case, string])[] = [
  ['no origin', {}, "'self'"],
  ["the session's origins", { sessionOrigins: [FRIEND, LOCAL] }, `'self' ${FRIEND} ${LOCAL}`],
  ["the token's origin", { claims: { embedOrigin: FRIEND } }, `'self' ${FRIEND}`],
  ['both', { sessionOrigins: [LOCAL], claims: { embedOrigin: FRIEND } }, `'self' ${LOCAL} ${FRIEND}`],
  ['both the same', { sessionOrigins: [FRIEND], claims: { embedOrigin: FRIEND } }, `'self' ${FRIEND}`],
  ['one twice', { sessionOrigins: [FRIEND, FRIEND] }, `'self' ${FRIEND}`],
];

for (const [name, parts, ancestors] of FRAMES) {
  t.test(`with ${name}, the page may be framed by ${ancestors} and no other`, async (t) => {
    t.equal(policyOf(parts).get('frame-ancestors'), ancestors);
  });
}

t.test('the policy permits the own scripts, style and sockets, and nothing inline or from elsewhere', async (t) => {
  t.strictSame(Object.fromEntries(policyOf({ ownOrigin: 'http://127.0.0.1:8787' })), {
    'default-src': "'none'",
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': "'self'",
    'img-src': "'self' blob: data:",
    'worker-src': "'self' blob:",
    'connect-src': "'self' ws://127.0.0.1:8787 wss://127.0.0.1:8787",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
  });
});

t.test('the page keeps its address to itself', async (t) => {
  t.match(pageOf().serve('ses_1', 'good', BROWSER).headers, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'clipboard-write=(self), fullscreen=(self)',
  });
});

t.test('the page has no inline script or style, and tells its script which session it is for', async (t) => {
  const { status, body } = pageOf({ sessionOrigins: [FRIEND, LOCAL] }).serve('ses_1', 'good', BROWSER);
  const html = String(body);
  t.equal(status, 200);
  t.match(html, '<script type="module" src="/viewer/app.js"></script>');
  t.match(html, '<link rel="stylesheet" href="/viewer/style.css">');
  t.match(html, `data-session="ses_1" data-platform="ios" data-role="view" data-embed-origins="${FRIEND} ${LOCAL}"`);
  t.notMatch(html, /<style|style=|\son\w+=|<script(?![^>]* src=)|good/);
});

t.test('a text of a record cannot break out of the page', async (t) => {
  const { body } = pageOf({ sessionOrigins: ['"><script>&'] }).serve('ses_1', 'good', BROWSER);
  t.match(String(body), 'data-embed-origins="&quot;&gt;&lt;script&gt;&amp;"');
});

const REFUSED: readonly (readonly [string, string, Case, string])[] = [
  ['no token', '', {}, 'ses_1'],
  ['a token that does not verify', '<script>alert(1)</script>', {}, 'ses_1'],
  ['a token for another session', 'good', { claims: { sessionId: 'ses_2' } }, 'ses_1'],
  ['a good token at another address', 'good', {}, 'ses_<b>'],
];

t.test('without a token that opens the session there is one page that says so, always the same', async (t) => {
  const pages = REFUSED.map(([name, token, parts, sessionId]) => {
    const reply = pageOf(parts).serve(sessionId, token, BROWSER);
    t.equal(reply.status, 401, name);
    return JSON.stringify(reply);
  });
  t.equal(new Set(pages).size, 1, 'nothing of the request is in it');
  t.match(pages[0], 'This link does not open a session');
  t.notMatch(pages[0], /<script|\/viewer\/app\.js/);
});

t.test('a notice says its reason wherever the viewer was embedded, and can do nothing there', async (t) => {
  const { headers = {} } = pageOf().serve('ses_1', '', BROWSER);
  t.equal(
    headers['Content-Security-Policy'],
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  t.match(headers, { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
});

t.test('a session that has ended has a page that says so', async (t) => {
  const { status, body } = pageOf({ fails: new ServiceError('active_session_not_found') }).serve(
    'ses_1',
    'good',
    BROWSER,
  );
  t.equal(status, 410);
  t.match(String(body), 'This session has ended');
  t.match(String(body), 'href="/"', 'and leads to a new one');
  t.equal(pageOf({ claims: { accountId: 'acc_2' } }).serve('ses_1', 'good', BROWSER).status, 410);
});

t.test('a fault of our own is not passed off as an ended session', async (t) => {
  t.throws(() => pageOf({ fails: new Error('disk') }).serve('ses_1', 'good', BROWSER), { message: 'disk' });
});

t.test('the page of an ended session tells why, and leads its owner to what is left of it', async (t) => {
  const fails = new ServiceError('active_session_not_found');
  const told = (releaseReason: string) => String(pageOf({ fails, releaseReason }).serve('ses_1', 'good', BROWSER).body);
  t.match(told('server_restarted'), 'The service was restarted.');
  t.match(told('hard_timeout'), 'It reached its maximum duration.');
  t.match(told('device_lost'), 'Its device stopped working.');
  const page = (account: string) => String(pageOf({ fails }).serve('ses_1', 'good', browserOf(account)).body);
  t.match(page('acc_1'), 'href="/dashboard/sessions/ses_1"');
  t.notMatch(page('acc_2'), 'ses_1', 'nobody else learns where');
});

t.test('the page tells its script whether the browser is signed in as the owner', async (t) => {
  const page = (account?: string) => String(pageOf().serve('ses_1', 'good', browserOf(account)).body);
  t.match(page('acc_1'), 'data-owner="true"');
  t.match(page('acc_2'), 'data-owner="false"');
  t.match(page(), 'data-owner="false"');
});
