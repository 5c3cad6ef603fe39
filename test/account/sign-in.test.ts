import t from 'tap';
import { SIGN_IN_LIFE_MS } from '../../server/account/dashboard-sign-ins.ts';
import { KNOWN_BROWSER_LIFE_MS } from '../../server/account/known-browsers.ts';
import { makeSecret } from '../../server/account/secret-text.ts';
import { ACCOUNT_RULE, ADDRESS_RULE, FRESH_SIGN_IN_MS, PRECEDENCE_RULE } from '../../server/account/sign-in.ts';
import { ADDRESS, from, openAccounts, PASSWORD } from './account-arena.ts';

const ADA = 'ada@example.com';
const WRONG = 'wrong horse battery';

t.test('an invitation makes the account, gives it the password, and signs in', async (t) => {
  const { services, secretOf, store } = openAccounts(t);
  const token = secretOf(services.links.invite(ADA).path);
  t.match(services.signIn.readInvitation(token, from(ADDRESS)), { email: ADA, isNew: true });
  const { secret } = await services.signIn.acceptInvitation({ token, password: PASSWORD }, from(ADDRESS));
  t.match(services.signIns.find(secret), { accountName: ADA, kind: 'dashboard' });
  t.match(await services.signIn.byPassword('Ada@Example.com', PASSWORD, from(ADDRESS)), { secret: /^rcs_/ });
  await t.rejects(services.signIn.acceptInvitation({ token, password: WRONG }, from(ADDRESS)), {
    code: 'sign_in_link_invalid',
  });
  t.equal(store.accounts.list().length, 1);
});

t.test('of two who accept one invitation at once, one is signed in', async (t) => {
  const { services, secretOf, store } = openAccounts(t);
  const token = secretOf(services.links.invite(ADA).path);
  const accept = (password: string) => services.signIn.acceptInvitation({ token, password }, from(ADDRESS));
  const outcomes = await Promise.allSettled([accept(PASSWORD), accept(WRONG)]);
  t.same(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.match(
    outcomes.find(({ status }) => status === 'rejected'),
    { reason: { code: 'sign_in_link_invalid' } },
  );
  t.equal(store.accounts.list().length, 1);
});

t.test('a second invitation sets the password anew and ends every sign-in before it', async (t) => {
  const { services, secretOf, join } = openAccounts(t);
  const before = await join(ADA);
  const { secret } = await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS));
  const token = secretOf(services.links.invite(ADA).path);
  t.match(services.signIn.readInvitation(token, from(ADDRESS)), { isNew: false });
  const entered = await services.signIn.acceptInvitation({ token, password: WRONG }, from(ADDRESS));
  t.equal(services.signIns.find(secret), undefined);
  t.match(services.signIns.find(entered.secret), { accountId: before.accountId });
  await t.rejects(services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS)), { code: 'sign_in_failed' });
  t.ok(await services.signIn.byPassword(ADA, WRONG, from(ADDRESS)));
});

t.test('a wrong password and an unknown address are told alike', async (t) => {
  const { services, join } = openAccounts(t);
  await join(ADA);
  const told: unknown[] = [];
  for (const [email, password] of [
    [ADA, WRONG],
    ['nobody@example.com', PASSWORD],
    [ADA, ''],
  ] as const) {
    await services.signIn.byPassword(email, password, from(ADDRESS)).catch((error) => told.push(error.toBody()));
  }
  t.equal(told.length, 3);
  t.strictSame(told[1], told[0]);
  t.strictSame(told[2], told[0]);
});

t.test(
  'after some failures an account waits longer and longer, whether it exists or not, also with the right password',
  async (t) => {
    const { services, join, clock } = openAccounts(t);
    await join(ADA);
    for (const email of [ADA, 'nobody@example.com']) {
      // From another address each time, so that only the account's own limit bites.
      const attempt = (n: number, password = WRONG) =>
        services.signIn.byPassword(email, password, from(`192.0.2.${n}`));
      for (let n = 0; n <= ACCOUNT_RULE.free; n++) await t.rejects(attempt(n), { code: 'sign_in_failed' });
      await t.rejects(attempt(100, PASSWORD), { code: 'rate_limited', retryAfterSeconds: 2 }, email);
      clock.advance(2_000);
      await t.rejects(attempt(101), { code: 'sign_in_failed' });
      await t.rejects(attempt(102), { code: 'rate_limited', retryAfterSeconds: 4 }, email);
      clock.advance(4_000);
    }
    t.ok(await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS)), 'the right one works when the wait is over');
    await t.rejects(
      services.signIn.byPassword(ADA, WRONG, from(ADDRESS)),
      { code: 'sign_in_failed' },
      'and clears the count',
    );
  },
);

t.test('guesses at the same time are as slow as one after the other', async (t) => {
  const { services, join } = openAccounts(t);
  await join(ADA);
  const all = Array.from({ length: 50 }, () => services.signIn.byPassword(ADA, WRONG, from(ADDRESS)));
  const codes = (await Promise.allSettled(all)).map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  t.equal(codes.filter((code) => code === 'sign_in_failed').length, ACCOUNT_RULE.free + 1);
  t.equal(codes.filter((code) => code === 'rate_limited').length, 50 - ACCOUNT_RULE.free - 1);
});

t.test('an address that tries many accounts waits, and its neighbour does not', async (t) => {
  const { services, join } = openAccounts(t);
  await join(ADA);
  const attempt = (n: number, address = ADDRESS) =>
    services.signIn.byPassword(`u${n}@example.com`, WRONG, from(address));
  for (let n = 0; n <= ADDRESS_RULE.free; n++) await t.rejects(attempt(n), { code: 'sign_in_failed' });
  await t.rejects(attempt(99), { code: 'rate_limited' });
  await t.rejects(services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS)), { code: 'rate_limited' });
  t.throws(() => services.signIn.byLink(makeSecret('link'), from(ADDRESS)), { code: 'rate_limited' });
  t.ok(await services.signIn.byPassword(ADA, PASSWORD, from('192.0.2.99')));
});

t.test('guessed links count against the address', async (t) => {
  const { services } = openAccounts(t);
  const guess = () => services.signIn.byLink(makeSecret('link'), from(ADDRESS));
  for (let n = 0; n <= ADDRESS_RULE.free; n++) t.throws(guess, { code: 'sign_in_link_invalid' });
  t.throws(guess, { code: 'rate_limited' });
});

t.test('a sign-in link works once, for the account that it was made for', async (t) => {
  const { services, accounts, secretOf } = openAccounts(t);
  const { account } = accounts.create('acme');
  const token = secretOf(services.links.signIn('acme').path);
  const { secret } = services.signIn.byLink(token, from(ADDRESS));
  t.match(services.signIns.find(secret), { accountId: account.id });
  t.throws(() => services.signIn.byLink(token, from(ADDRESS)), { code: 'sign_in_link_invalid' });
});

t.test(
  'an account without a password gets one from whoever is signed in; afterwards the current one is needed',
  async (t) => {
    const { clock, services, accounts, secretOf } = openAccounts(t);
    accounts.create('acme');
    const { secret } = services.signIn.byLink(secretOf(services.links.signIn('acme').path), from(ADDRESS));
    const other = services.signIn.byLink(secretOf(services.links.signIn('acme').path), from(ADDRESS));
    const who = services.signIns.find(secret);
    if (!who) throw new Error('not signed in');
    await services.signIn.setPassword(who, { email: ADA, password: PASSWORD });
    t.ok(services.signIns.find(secret), 'this browser stays');
    t.equal(services.signIns.find(other.secret), undefined, 'the others do not');
    clock.jumpWall(FRESH_SIGN_IN_MS);
    const change = { email: ADA, password: WRONG };
    await t.rejects(services.signIn.setPassword(who, change), { code: 'fresh_sign_in_required' });
    await t.rejects(services.signIn.setPassword(who, { ...change, currentPassword: WRONG }), {
      code: 'sign_in_failed',
    });
    await services.signIn.setPassword(who, { ...change, currentPassword: PASSWORD });
    t.ok(await services.signIn.byPassword(ADA, WRONG, from(ADDRESS)));
  },
);

t.test('a password that is the address is refused, and so is the address of another account', async (t) => {
  const { services, join, secretOf } = openAccounts(t);
  await join(ADA);
  const bob = await join('bob@example.com');
  await t.rejects(services.signIn.setPassword(bob, { email: ADA, password: WRONG, currentPassword: PASSWORD }), {
    code: 'invalid_request',
    message: /"email"/,
  });
  const token = secretOf(services.links.invite('carla@example.com').path);
  await t.rejects(services.signIn.acceptInvitation({ token, password: 'Carla@Example.com' }, from(ADDRESS)), {
    code: 'invalid_request',
    message: /"password"/,
  });
  t.ok(services.signIn.readInvitation(token, from(ADDRESS)), 'the invitation is still good');
});

t.test('a hash of another cost is made anew when the password is at hand', async (t) => {
  const { services, store, join } = openAccounts(t);
  const { accountId } = await join(ADA);
  const row = store.passwords.byAccount(accountId);
  const { PasswordHasher } = await import('../../server/account/password-hash.ts');
  const old = await new PasswordHasher({ logN: 3, r: 8, p: 1 }).hash(PASSWORD, {
    isKnown: true,
    source: accountId,
    part: '',
  });
  store.passwords.put({ accountId, email: ADA, changedAtMs: 1, hash: old });
  await t.rejects(services.signIn.byPassword(ADA, WRONG, from(ADDRESS)));
  t.equal(store.passwords.byAccount(accountId)?.hash, old, 'not by a wrong one');
  await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS));
  t.match(store.passwords.byAccount(accountId)?.hash, /^scrypt\$2\$8\$1\$/);
  t.match(row?.hash, /^scrypt\$2\$/);
});

t.test(
  'a password that is changed while it is compared signs nobody in, and no former one is accepted again',
  async (t) => {
    const { services, store, join } = openAccounts(t);
    const who = await join(ADA);
    const { accountId } = who;
    const { PasswordHasher } = await import('../../server/account/password-hash.ts');
    const asker = { isKnown: true, source: accountId, part: '' };
    const put = (hash: string) => store.passwords.put({ accountId, email: ADA, changedAtMs: 1, hash });
    const changed = await new PasswordHasher({ logN: 2, r: 8, p: 1 }).hash(WRONG, asker);
    for (const logN of [2, 3]) {
      const former = await new PasswordHasher({ logN, r: 8, p: 1 }).hash(PASSWORD, asker);
      put(former);
      const entering = services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS));
      put(changed);
      await t.rejects(entering, { code: 'sign_in_failed' });
      t.equal(store.passwords.byAccount(accountId)?.hash, changed);
      put(former);
      const changing = services.signIn.setPassword(who, { email: ADA, password: 'other', currentPassword: PASSWORD });
      put(changed);
      await t.rejects(changing, { code: 'sign_in_failed' });
      t.equal(store.passwords.byAccount(accountId)?.hash, changed);
      put(former);
      t.ok(await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS)), 'unchanged: in');
    }
  },
);

t.test('a credential that is revoked while the new password is hashed does not set that password', async (t) => {
  const { services, accounts, authenticator, store, join, clock } = openAccounts(t);
  const browser = await join(ADA);
  const { accountId, accountName } = browser;
  const { accessToken } = services.tokens.grant(accountId, 'runcloud-cli', undefined);
  const program = services.authenticate(`Bearer ${accessToken}`);
  const key = authenticator.authenticate(`Bearer ${accounts.createKey(accountName).key}`);
  if (!program || !key) throw new Error('not signed in');
  const before = store.passwords.byAccount(accountId);
  const request = { email: ADA, password: WRONG };
  const proved = { ...request, currentPassword: PASSWORD };
  const enter = () => services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS));
  const other = services.signIns.find((await enter()).secret);
  if (!other) throw new Error('not signed in');
  const cases = [
    [browser, request, () => services.signIns.endOthers(accountId, other.keyId)],
    [key, proved, () => store.keys.revoke(key.keyId, clock.wallMs())],
    [program, proved, () => store.tokens.revoke(accountId, program.keyId, clock.wallMs())],
    [other, proved, () => services.revokeAll.run(accountId)],
  ] as const;
  for (const [who, request, lose] of cases) {
    const setting = services.signIn.setPassword(who, request);
    lose();
    await t.rejects(setting, { code: 'authentication_required' }, who.kind ?? 'key');
  }
  t.same(store.passwords.byAccount(accountId), before);
});

t.test('a sign-in ends at its time, when it is ended, and each has a secret of its own', async (t) => {
  const { services, join, clock } = openAccounts(t);
  await join(ADA);
  const enter = () => services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS));
  const [one, two] = [await enter(), await enter()];
  t.not(one.secret, two.secret);
  services.signIns.end(one.secret);
  t.equal(services.signIns.find(one.secret), undefined);
  clock.advance(SIGN_IN_LIFE_MS - 1);
  t.ok(services.signIns.find(two.secret));
  clock.advance(1);
  t.equal(services.signIns.find(two.secret), undefined);
});

t.test("strangers' wrong passwords do not keep a person out of a browser that signed in before", async (t) => {
  const { services, join, clock } = openAccounts(t);
  const { accountId } = await join(ADA);
  const mark = services.browsers.mark(accountId);
  const stranger = (n: number) => services.signIn.byPassword(ADA, WRONG, from(`192.0.2.${n}`));
  for (let n = 0; n < 40; n++) await t.rejects(stranger(n));
  await t.rejects(
    services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS)),
    { code: 'rate_limited' },
    'a new browser waits',
  );
  t.ok(await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS, mark)));
  // Not even from the address that everybody shares.
  for (let n = 0; n <= ADDRESS_RULE.free; n++)
    await t.rejects(services.signIn.byPassword(`u${n}@b.com`, WRONG, from(ADDRESS)));
  t.ok(await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS, mark)));
  await t.rejects(stranger(41), { code: 'rate_limited' }, 'and that forgives strangers nothing');
  clock.advance(1_000);
  await t.rejects(stranger(42), { code: 'rate_limited' });
});

t.test('a browser that is known is slowed down like everybody, by its own failures', async (t) => {
  const { services, join } = openAccounts(t);
  const { accountId } = await join(ADA);
  const [mark, other] = [services.browsers.mark(accountId), services.browsers.mark(accountId)];
  const attempt = (n: number, password = WRONG) =>
    services.signIn.byPassword(ADA, password, from(`192.0.2.${n}`, mark));
  for (let n = 0; n <= ACCOUNT_RULE.free; n++) await t.rejects(attempt(n), { code: 'sign_in_failed' });
  await t.rejects(attempt(99, PASSWORD), { code: 'rate_limited', retryAfterSeconds: 2 });
  t.ok(await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS, other)), 'another browser of the person is not');
});

t.test('only the mark of this very account makes a browser known to it', async (t) => {
  const { services, join, clock } = openAccounts(t);
  const ada = await join(ADA);
  const eve = await join('eve@example.com');
  const mark = services.browsers.mark(ada.accountId);
  const marks = {
    "another account's": services.browsers.mark(eve.accountId),
    altered: mark.replace(/\.(\d+)\./, (_, end) => `.${Number(end) + 1}.`),
    'of another name': mark.replace(ada.accountId, eve.accountId),
    'cut off': mark.slice(0, -1),
    nonsense: 'v1.acc_x.y.1.z',
    empty: '',
  };
  for (let n = 0; n <= ACCOUNT_RULE.free; n++) {
    await t.rejects(services.signIn.byPassword(ADA, WRONG, from(`192.0.2.${n}`)), { code: 'sign_in_failed' });
  }
  for (const [name, given] of Object.entries(marks)) {
    await t.rejects(services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS, given)), { code: 'rate_limited' }, name);
  }
  t.ok(services.browsers.read(mark));
  clock.jumpWall(KNOWN_BROWSER_LIFE_MS);
  t.equal(services.browsers.read(mark), undefined, 'too old');
});

t.test(
  'a password can be changed while strangers guess it, and guessing the present one is slow there, too',
  async (t) => {
    const { services, join } = openAccounts(t);
    const who = await join(ADA);
    for (let n = 0; n < 40; n++) await t.rejects(services.signIn.byPassword(ADA, WRONG, from(`192.0.2.${n}`)));
    const change = (currentPassword: string, password = 'a third one altogether') =>
      services.signIn.setPassword(who, { email: ADA, password, currentPassword });
    await t.resolves(change(PASSWORD, PASSWORD));
    for (let n = 0; n <= ACCOUNT_RULE.free; n++) await t.rejects(change(WRONG), { code: 'sign_in_failed' });
    await t.rejects(change(PASSWORD), { code: 'rate_limited' });
  },
);

t.test('an account that signs in all the time loses its precedence before strangers, and nothing else', async (t) => {
  const { services, join, clock, asked } = openAccounts(t);
  const { accountId } = await join(ADA);
  const mark = services.browsers.mark(accountId);
  asked.length = 0;
  const enter = () => services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS, mark));
  for (let n = 0; n < PRECEDENCE_RULE.free + 3; n++) t.ok(await enter());
  t.same(
    asked.map(({ isKnown }) => isKnown),
    [...Array(PRECEDENCE_RULE.free + 1).fill(true), false, false],
  );
  clock.advance(60_000);
  await enter();
  t.equal(asked.at(-1)?.isKnown, true);
});

t.test('neither a key, nor a token, nor an old cookie sets a password by itself, the first one neither', async (t) => {
  const { services, accounts, authenticator, clock, secretOf, store } = openAccounts(t);
  const { account, key } = accounts.create('acme');
  const byKey = authenticator.authenticate(`Bearer ${key}`);
  const { accessToken } = services.tokens.grant(account.id, 'runcloud-cli', undefined);
  const byToken = services.authenticate(`Bearer ${accessToken}`);
  const enter = () =>
    services.signIns.find(services.signIn.byLink(secretOf(services.links.signIn('acme').path), from(ADDRESS)).secret);
  const old = enter();
  clock.jumpWall(FRESH_SIGN_IN_MS);
  const fresh = enter();
  if (!byKey || !byToken || !old || !fresh) throw new Error('not signed in');
  const first = { email: ADA, password: PASSWORD };
  for (const who of [byKey, byToken, old]) {
    await t.rejects(services.signIn.setPassword(who, first), { code: 'fresh_sign_in_required' });
  }
  t.equal(store.passwords.byAccount(account.id), undefined);
  clock.jumpWall(-2 * FRESH_SIGN_IN_MS);
  await t.rejects(
    services.signIn.setPassword(fresh, first),
    { code: 'fresh_sign_in_required' },
    'a sign-in of the future',
  );
  clock.jumpWall(2 * FRESH_SIGN_IN_MS);
  await services.signIn.setPassword(fresh, first);
  const second = { email: ADA, password: WRONG };
  await t.rejects(services.signIn.setPassword(byKey, second), { code: 'fresh_sign_in_required' });
  await services.signIn.setPassword(byKey, { ...second, currentPassword: PASSWORD });
  await t.rejects(
    services.signIn.setPassword(fresh, first),
    { code: 'authentication_required' },
    'it was ended by that',
  );
  const later = enter();
  if (!later) throw new Error('not signed in');
  await services.signIn.setPassword(later, first);
  t.ok(
    await services.signIn.byPassword(ADA, PASSWORD, from(ADDRESS)),
    'who signed in a moment ago may have forgotten it',
  );
});
