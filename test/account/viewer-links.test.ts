import { randomBytes } from 'node:crypto';
import type { ViewerLinkRequest } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { type LinkedSession, ViewerLinks } from '../../server/account/viewer-links.ts';
import { ViewerTokens } from '../../server/account/viewer-tokens.ts';
import type { ViewerLinkRow } from '../../server/store/viewer-link-table.ts';
import { WHOLE } from '../support/whole-list.ts';
import { ManualClock } from './manual-clock.ts';

const SESSION: LinkedSession = { id: 'ses_1', accountId: 'acc_1', hardEndMs: ManualClock.EPOCH_MS + 7_200_000 };
const OTHER: LinkedSession = { ...SESSION, id: 'ses_2' };
const REQUEST: ViewerLinkRequest = { role: 'view', ttlMs: 60_000 };

/** Links over a table in memory and a clock that stands still. */
function openLinks() {
  const clock = new ManualClock();
  const rows: ViewerLinkRow[] = [];
  const revoked: string[] = [];
  const isLive = ({ revokedAtMs }: ViewerLinkRow) => revokedAtMs === undefined;
  const find = (sessionId: string, id: string) => rows.findIndex((row) => row.id === id && row.sessionId === sessionId);
  const secret = randomBytes(32);
  const tokens = new ViewerTokens(() => secret, clock);
  const links = new ViewerLinks({
    store: {
      insert: (row) => void rows.unshift(row),
      live: (sessionId, atMs) => {
        const items = rows.filter((row) => row.sessionId === sessionId && isLive(row) && row.expiresAtMs > atMs);
        return { items, positions: items.map(({ createdAtMs }, number) => ({ createdAtMs, number })), more: false };
      },
      revoke: (sessionId, id, atMs) => {
        const at = find(sessionId, id);
        const row = rows[at];
        if (!row) return 'unknown';
        if (!isLive(row)) return 'was revoked';
        rows[at] = { ...row, revokedAtMs: atMs };
        return 'revoked';
      },
      isUnrevoked: (sessionId, id) => rows.some((row) => row.id === id && row.sessionId === sessionId && isLive(row)),
    },
    tokens,
    clock,
    viewerUrl: (sessionId, token) => `https://devices.example.com/view/${sessionId}?token=${token}`,
    onRevoked: (id) => void revoked.push(id),
  });
  return { links, tokens, clock, rows, revoked };
}

const tokenOf = ({ url }: { url: string }) => new URL(url).searchParams.get('token') ?? '';

t.test('the token of a link says what the link permits, and nothing else is kept of it', async (t) => {
  const { links, rows } = openLinks();
  const made = links.create(SESSION, { role: 'control', ttlMs: 60_000, embedOrigin: 'https://friend.example' });
  t.match(made.id, /^lnk_\w{22}$/);
  t.strictSame(links.verify(tokenOf(made)), {
    sessionId: 'ses_1',
    accountId: 'acc_1',
    role: 'control',
    expiresAtMs: ManualClock.EPOCH_MS + 60_000,
    linkId: made.id,
    embedOrigin: 'https://friend.example',
  });
  t.equal(made.expiresAt, new Date(ManualClock.EPOCH_MS + 60_000).toISOString());
  t.notOk(JSON.stringify(rows).includes(tokenOf(made)), 'the token is not stored');
});

t.test('a link never outlasts the session, and a session whose end is due gets none', async (t) => {
  const { links, clock } = openLinks();
  const made = links.create(SESSION, { role: 'view', ttlMs: 86_400_000 });
  t.equal(made.expiresAt, new Date(SESSION.hardEndMs).toISOString());
  clock.advance(7_200_000);
  t.throws(() => links.create(SESSION, REQUEST), new ServiceError('active_session_not_found'));
});

t.test('a list shows what opens the session now, newest first and without addresses', async (t) => {
  const { links, clock } = openLinks();
  const short = links.create(SESSION, REQUEST);
  const long = links.create(SESSION, { role: 'control', ttlMs: 600_000, embedOrigin: 'https://friend.example' });
  links.create(OTHER, REQUEST);
  const shown = ({ url: _url, ...rest }: typeof short) => rest;
  t.strictSame(links.list(SESSION, WHOLE).items, [shown(long), shown(short)]);
  clock.advance(60_000);
  t.strictSame(links.list(SESSION, WHOLE).items, [shown(long)]);
  t.equal(links.verify(tokenOf(short)), undefined, 'what has expired opens nothing');
  links.revoke(SESSION, long.id);
  t.strictSame(links.list(SESSION, WHOLE).items, []);
});

t.test('a revoked link opens nothing, is told of once, and can be revoked again', async (t) => {
  const { links, revoked } = openLinks();
  const [doomed, safe] = [links.create(SESSION, REQUEST), links.create(SESSION, REQUEST)];
  links.revoke(SESSION, doomed.id);
  links.revoke(SESSION, doomed.id);
  t.strictSame(revoked, [doomed.id]);
  t.equal(links.verify(tokenOf(doomed)), undefined);
  t.ok(links.verify(tokenOf(safe)));
});

t.test("another session's link is as unknown as none", async (t) => {
  const { links, revoked } = openLinks();
  const made = links.create(SESSION, REQUEST);
  for (const id of [made.id, 'lnk_0123456789ABCDEFGHIJKL', '']) {
    t.throws(() => links.revoke(OTHER, id), new ServiceError('viewer_link_not_found'), id);
  }
  t.strictSame(revoked, []);
  t.ok(links.verify(tokenOf(made)));
});

t.test("a session's own token has no link and is judged by its signature alone", async (t) => {
  const { links, tokens } = openLinks();
  const claims = { sessionId: 'ses_1', accountId: 'acc_1', role: 'control', expiresAtMs: SESSION.hardEndMs } as const;
  t.strictSame(links.verify(tokens.sign(claims)), claims);
  t.equal(links.verify(tokens.sign({ ...claims, linkId: 'lnk_nobody-made' })), undefined);
  t.equal(links.verify('v1.e30.x'), undefined);
});

t.test('a session has so many live links and no more; revoked and expired ones make room', async (t) => {
  const { links, clock } = openLinks();
  const first = links.create(SESSION, { role: 'view', ttlMs: 90_500 });
  for (let n = 1; n < LIMITS.viewerLinksPerSession; n += 1) links.create(SESSION, { role: 'view', ttlMs: 600_000 });
  t.throws(() => links.create(SESSION, REQUEST), { code: 'rate_limited', retryAfterSeconds: 91 });
  t.ok(links.create(OTHER, REQUEST), 'each session has its own bound');
  clock.advance(90_500);
  const second = links.create(SESSION, REQUEST);
  t.throws(() => links.create(SESSION, REQUEST), { code: 'rate_limited' });
  links.revoke(SESSION, second.id);
  t.ok(links.create(SESSION, REQUEST));
  t.equal(
    links.list(SESSION, WHOLE).items.some(({ id }) => id === first.id),
    false,
  );
});
