import t from 'tap';
import { WHOLE } from '../support/whole-list.ts';
import { account, digest, openStore } from './open-store.ts';

const GRANT = { id: 'tok_1', accountId: 'acc_acme', clientId: 'cli', createdAtMs: 1, expiresAtMs: 100 };

function withGrant(t: Parameters<typeof openStore>[0]) {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  store.accounts.insert(account('other'));
  store.tokens.insertGrant(GRANT);
  return store;
}

t.test('a token is found as what it is, with the account that it acts as', async (t) => {
  const { tokens } = withGrant(t);
  tokens.insert({ digest: digest('a'), grantId: 'tok_1', kind: 'access', expiresAtMs: 50 });
  t.strictSame(tokens.find(digest('a'), 'access'), {
    digest: digest('a'),
    grantId: 'tok_1',
    kind: 'access',
    expiresAtMs: 50,
    accountId: 'acc_acme',
    organizationId: 'org_acme',
    accountName: 'acme',
    clientId: 'cli',
  });
  t.equal(tokens.find(digest('a'), 'refresh'), undefined);
  t.equal(tokens.find(digest('b'), 'access'), undefined);
});

t.test('a refresh token is used once; used ones are kept as long as they could have lived', async (t) => {
  const { tokens } = withGrant(t);
  tokens.insert({ digest: digest('a'), grantId: 'tok_1', kind: 'refresh', expiresAtMs: 50 });
  tokens.insert({ digest: digest('b'), grantId: 'tok_1', kind: 'access', expiresAtMs: 20 });
  t.equal(tokens.use(digest('a'), 5), true);
  t.equal(tokens.use(digest('a'), 6), false);
  tokens.renew('tok_1', 200, 30);
  t.match(tokens.find(digest('a'), 'refresh'), { usedAtMs: 5 });
  t.equal(tokens.find(digest('b'), 'access'), undefined);
  tokens.renew('tok_1', 200, 50);
  t.equal(tokens.find(digest('a'), 'refresh'), undefined);
  t.match(tokens.list('acc_acme', 150, WHOLE).items, [{ expiresAtMs: 200 }]);
});

t.test('a list holds the live grants of one account, newest first', async (t) => {
  const { tokens } = withGrant(t);
  tokens.insertGrant({ ...GRANT, id: 'tok_2', createdAtMs: 2, deviceName: 'laptop' });
  tokens.insertGrant({ ...GRANT, id: 'tok_3', accountId: 'acc_other' });
  t.strictSame(tokens.list('acc_acme', 5, WHOLE).items, [
    { ...GRANT, id: 'tok_2', createdAtMs: 2, deviceName: 'laptop' },
    GRANT,
  ]);
  t.strictSame(tokens.list('acc_acme', 100, WHOLE).items, []);
});

t.test('a revocation is told once from its repetitions, and from what was never there', async (t) => {
  const { tokens } = withGrant(t);
  t.equal(tokens.revoke('acc_other', 'tok_1', 5), 'unknown');
  t.equal(tokens.revoke('acc_acme', 'tok_9', 5), 'unknown');
  t.equal(tokens.revoke('acc_acme', 'tok_1', 5), 'revoked');
  t.equal(tokens.revoke('acc_acme', 'tok_1', 6), 'was revoked');
  t.strictSame(tokens.list('acc_acme', 7, WHOLE).items, []);
});

t.test('the successors of a refresh token are voided only while they are unused', async (t) => {
  const { tokens } = withGrant(t);
  const made = { grantId: 'tok_1', madeWith: digest('a'), expiresAtMs: 50 } as const;
  t.equal(tokens.voidUnused(digest('a'), 5), false, 'nothing came of it');
  tokens.insert({ ...made, digest: digest('b'), kind: 'access' });
  tokens.insert({ ...made, digest: digest('c'), kind: 'refresh' });
  t.equal(tokens.voidUnused(digest('a'), 5), true);
  t.equal(tokens.find(digest('b'), 'access'), undefined);
  t.match(tokens.find(digest('c'), 'refresh'), { usedAtMs: 5 }, 'whoever has it is noticed');
  for (const used of ['d', 'e'] as const) {
    tokens.insert({ ...made, digest: digest('d'), kind: 'access' });
    tokens.insert({ ...made, digest: digest('e'), kind: 'refresh' });
    tokens.use(digest(used), 6);
    t.equal(tokens.voidUnused(digest('a'), 7), false);
    t.ok(tokens.find(digest('d'), 'access'));
    tokens.renew('tok_1', 200, 60);
  }
});
