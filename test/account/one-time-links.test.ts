import t from 'tap';
import { INVITATION_LIFE_MS, SIGN_IN_LINK_LIFE_MS } from '../../server/account/one-time-links.ts';
import { makeSecret } from '../../server/account/secret-text.ts';
import { openAccounts } from './account-arena.ts';

t.test('the secret is behind the #, where browsers keep it to themselves', async (t) => {
  const { services, accounts } = openAccounts(t);
  accounts.create('acme');
  t.match(services.links.invite('ada@example.com').path, /^\/dashboard\/welcome#rcl_\w{38}$/);
  t.match(services.links.signIn('acme').path, /^\/dashboard\/enter#rcl_\w{38}$/);
});

t.test('a link is read as often as one likes, and taken once', async (t) => {
  const { services, secretOf } = openAccounts(t);
  const secret = secretOf(services.links.invite('ada@example.com').path);
  for (let round = 0; round < 3; round++) {
    t.match(services.links.read(secret, 'invitation'), { email: 'ada@example.com' });
  }
  t.match(services.links.take(secret, 'invitation'), { email: 'ada@example.com' });
  t.equal(services.links.take(secret, 'invitation'), undefined);
  t.equal(services.links.read(secret, 'invitation'), undefined);
});

t.test('a link does what it was made for and nothing else', async (t) => {
  const { services, accounts, secretOf } = openAccounts(t);
  accounts.create('acme');
  const invitation = secretOf(services.links.invite('ada@example.com').path);
  const entrance = secretOf(services.links.signIn('acme').path);
  t.equal(services.links.take(invitation, 'sign-in'), undefined);
  t.equal(services.links.take(entrance, 'invitation'), undefined);
  for (const wrong of ['', makeSecret('link'), makeSecret('cookie'), `${invitation}x`]) {
    t.equal(services.links.take(wrong, 'invitation'), undefined);
  }
  t.ok(
    services.links.take(invitation, 'invitation') && services.links.take(entrance, 'sign-in'),
    'wrong tries cost nothing',
  );
});

t.test('a link is good up to its end, and not at it', async (t) => {
  const { services, accounts, clock, secretOf } = openAccounts(t);
  accounts.create('acme');
  const entrance = secretOf(services.links.signIn('acme').path);
  clock.advance(SIGN_IN_LINK_LIFE_MS - 1);
  t.ok(services.links.read(entrance, 'sign-in'));
  clock.advance(1);
  t.equal(services.links.take(entrance, 'sign-in'), undefined);
  const invitation = secretOf(services.links.invite('ada@example.com').path);
  clock.advance(INVITATION_LIFE_MS);
  t.equal(services.links.take(invitation, 'invitation'), undefined);
});

t.test('a new invitation of an address ends the one before', async (t) => {
  const { services, secretOf } = openAccounts(t);
  const first = secretOf(services.links.invite('ada@example.com').path);
  const second = secretOf(services.links.invite('Ada@Example.com').path);
  t.equal(services.links.read(first, 'invitation'), undefined);
  t.ok(services.links.read(second, 'invitation'));
});

t.test(
  'an invitation is for the account that has the address, for the one that is named, or for a new one',
  async (t) => {
    const { services, accounts, join, secretOf } = openAccounts(t);
    const { account } = accounts.create('acme');
    const whose = (email: string, name?: string) =>
      services.links.read(secretOf(services.links.invite(email, name).path), 'invitation')?.accountId;
    t.equal(whose('new@example.com'), undefined);
    t.equal(whose('new@example.com', 'acme'), account.id);
    const { accountId } = await join('ada@example.com');
    t.equal(whose('ADA@example.com'), accountId);
    t.throws(() => whose('ada@example.com', 'acme'), { name: 'AccountError', reason: 'taken' });
    t.throws(() => whose('bob@example.com', 'nobody'), { name: 'AccountError', reason: 'unknown' });
    t.throws(() => services.links.signIn('nobody'), { name: 'AccountError', reason: 'unknown' });
    for (const wrong of [
      '',
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      'ada@exa mple.com',
      `${'a'.repeat(65)}@b.c`,
    ]) {
      t.throws(() => whose(wrong), { name: 'AccountError', reason: 'invalid' }, wrong);
    }
  },
);
