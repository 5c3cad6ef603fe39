import t from 'tap';
import { ACCESS_LIFE_MS, REFRESH_LIFE_MS } from '../../server/account/oauth-tokens.ts';
import { makeSecret } from '../../server/account/secret-text.ts';
import { WHOLE } from '../support/whole-list.ts';
import { openAccounts } from './account-arena.ts';

const CLI = 'runcloud-cli';

function letIn(t: Parameters<typeof openAccounts>[0]) {
  const arena = openAccounts(t);
  const { account } = arena.accounts.create('acme');
  const { tokens } = arena.services;
  return { ...arena, account, tokens, issued: tokens.grant(account.id, CLI, 'laptop') };
}

t.test('an access token acts as its account, wherever a key does, for an hour', async (t) => {
  const { services, account, issued, clock } = letIn(t);
  const bearer = `Bearer ${issued.accessToken}`;
  const who = services.authenticate(bearer);
  t.match(who, { accountId: account.id, organizationId: account.organizationId, kind: 'token', keyId: /^tok_/ });
  t.equal(who?.expiresAtMs, clock.wallMs() + ACCESS_LIFE_MS);
  clock.advance(ACCESS_LIFE_MS - 1);
  t.ok(services.authenticate(bearer));
  clock.advance(1);
  t.equal(services.authenticate(bearer), undefined);
});

t.test('neither kind of token passes for the other, nor for an API key', async (t) => {
  const { services, tokens, issued } = letIn(t);
  t.equal(services.authenticate(`Bearer ${issued.refreshToken}`), undefined);
  t.throws(() => tokens.refresh(issued.accessToken, CLI), { code: 'invalid_grant' });
  t.equal(services.authenticate(`Bearer ${makeSecret('access')}`), undefined);
  t.equal(services.authenticate(issued.accessToken), undefined, 'without its scheme');
});

t.test('a refresh token works once and brings the next one', async (t) => {
  const { services, tokens, issued } = letIn(t);
  const second = tokens.refresh(issued.refreshToken, CLI);
  t.not(second.refreshToken, issued.refreshToken);
  t.ok(services.authenticate(`Bearer ${second.accessToken}`));
  t.ok(tokens.refresh(second.refreshToken, CLI));
});

t.test('a refresh token that comes back ends the program with all its tokens, for good', async (t) => {
  const { services, tokens, issued, revoked, account } = letIn(t);
  const second = tokens.refresh(issued.refreshToken, CLI);
  t.ok(services.authenticate(`Bearer ${second.accessToken}`));
  const bystander = tokens.grant(account.id, CLI, 'desktop');
  t.throws(() => tokens.refresh(issued.refreshToken, CLI), { code: 'invalid_grant' });
  t.equal(revoked.length, 1, 'its sockets are closed');
  t.equal(services.authenticate(`Bearer ${second.accessToken}`), undefined);
  t.throws(() => tokens.refresh(second.refreshToken, CLI), { code: 'invalid_grant' });
  t.ok(services.authenticate(`Bearer ${bystander.accessToken}`), 'another program lives on');
  t.match(tokens.list({ accountId: account.id }, WHOLE).items, [
    { deviceName: 'desktop', client: 'RunCloud command line' },
  ]);
  t.throws(() => tokens.refresh(issued.refreshToken, CLI), { code: 'invalid_grant' });
  t.equal(revoked.length, 1, 'told once');
});

t.test('a refresh token expires, and is of one client', async (t) => {
  const { tokens, issued, clock, account } = letIn(t);
  t.throws(() => tokens.refresh(issued.refreshToken, 'other'), { code: 'invalid_grant' });
  clock.jumpWall(REFRESH_LIFE_MS - 1);
  const second = tokens.refresh(issued.refreshToken, CLI);
  clock.jumpWall(REFRESH_LIFE_MS);
  t.throws(() => tokens.refresh(second.refreshToken, CLI), { code: 'invalid_grant' });
  t.strictSame(tokens.list({ accountId: account.id }, WHOLE).items, []);
});

t.test('giving either token back ends both; what is no token changes nothing', async (t) => {
  const { services, tokens, account, revoked } = letIn(t);
  for (const which of ['accessToken', 'refreshToken'] as const) {
    const issued = tokens.grant(account.id, CLI, undefined);
    tokens.giveBack(issued[which]);
    t.equal(services.authenticate(`Bearer ${issued.accessToken}`), undefined, which);
    t.throws(() => tokens.refresh(issued.refreshToken, CLI), { code: 'invalid_grant' }, which);
    t.doesNotThrow(() => tokens.giveBack(issued[which]), 'repeated');
  }
  t.equal(revoked.length, 2);
  for (const none of ['', 'nonsense', makeSecret('access'), makeSecret('refresh')]) tokens.giveBack(none);
  t.equal(revoked.length, 2);
});

t.test('the owner shuts a program out; nobody else can, nor tell that it exists', async (t) => {
  const { services, tokens, issued, account, accounts, revoked } = letIn(t);
  const other = accounts.create('other').account;
  const [grant] = tokens.list({ accountId: account.id }, WHOLE).items;
  const id = grant?.id ?? '';
  t.throws(() => tokens.revoke({ accountId: other.id }, id), { code: 'token_not_found' });
  t.throws(() => tokens.revoke({ accountId: account.id }, 'tok_0123456789ABCDEFGHIJKL'), { code: 'token_not_found' });
  t.ok(services.authenticate(`Bearer ${issued.accessToken}`));
  tokens.revoke({ accountId: account.id }, id);
  tokens.revoke({ accountId: account.id }, id);
  t.strictSame(revoked, [id]);
  t.equal(services.authenticate(`Bearer ${issued.accessToken}`), undefined);
});

t.test('the time of last use is written, and not at each use', async (t) => {
  const { services, tokens, issued, account, clock } = letIn(t);
  const lastUsed = () => tokens.list({ accountId: account.id }, WHOLE).items[0]?.lastUsedAt;
  t.equal(lastUsed(), undefined);
  services.authenticate(`Bearer ${issued.accessToken}`);
  const first = lastUsed();
  t.ok(first);
  clock.advance(59_000);
  services.authenticate(`Bearer ${issued.accessToken}`);
  t.equal(lastUsed(), first);
  clock.advance(1_000);
  services.authenticate(`Bearer ${issued.accessToken}`);
  t.not(lastUsed(), first);
});

t.test('a time of last use that cannot be written refuses nobody, and is written at a later use', async (t) => {
  const { services, store, tokens, issued, account } = letIn(t);
  const markUsed = store.tokens.markUsed;
  store.tokens.markUsed = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  t.match(services.authenticate(`Bearer ${issued.accessToken}`), { accountId: account.id });
  store.tokens.markUsed = markUsed;
  const lastUsed = () => tokens.list({ accountId: account.id }, WHOLE).items[0]?.lastUsedAt;
  t.equal(lastUsed(), undefined);
  t.ok(services.authenticate(`Bearer ${issued.accessToken}`));
  t.ok(lastUsed());
});
