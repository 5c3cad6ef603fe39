import t from 'tap';
import { ASKING_RULE, PENDING_MAX } from '../../server/account/device-authorizations.ts';
import { ADDRESS, from, openAccounts, PASSWORD } from './account-arena.ts';

/** Each way in takes several writes; here the database refuses one of them, and the caller repeats what it asked for. */

const CLI = 'runcloud-cli';
const locked = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

/** Makes a table's method fail until the returned function is called. */
function refuse<T extends object>(table: T, method: keyof T): () => void {
  const was = table[method];
  table[method] = (() => {
    throw locked();
  }) as T[keyof T];
  return () => {
    table[method] = was;
  };
}

t.test('a link that signs nobody in is not used up, and the former sign-in stays', async (t) => {
  const { store, services, accounts, secretOf } = openAccounts(t);
  const { account } = accounts.create('acme');
  const former = services.signIns.open(account.id).secret;
  const token = secretOf(services.links.signIn('acme').path);
  const mend = refuse(store.signIns, 'insert');
  t.throws(() => services.signIn.byLink(token, { ...from(ADDRESS), former }), { code: 'SQLITE_BUSY' });
  t.ok(services.signIns.find(former));
  mend();
  const { secret } = services.signIn.byLink(token, { ...from(ADDRESS), former });
  t.ok(services.signIns.find(secret));
  t.notOk(services.signIns.find(former), 'it goes when the next one is there');
});

t.test('an invitation that could not be accepted can be, and nothing of the first try is left', async (t) => {
  const { store, services, secretOf } = openAccounts(t);
  const token = secretOf(services.links.invite('ada@example.com').path);
  for (const method of ['insert', 'endOthers'] as const) {
    const mend = refuse(store.signIns, method);
    await t.rejects(services.signIn.acceptInvitation({ token, password: PASSWORD }, from(ADDRESS)), {
      code: 'SQLITE_BUSY',
    });
    t.strictSame([store.accounts.list(), store.passwords.byEmail('ada@example.com')], [[], undefined]);
    mend();
  }
  const { secret } = await services.signIn.acceptInvitation({ token, password: PASSWORD }, from(ADDRESS));
  t.ok(services.signIns.find(secret));
});

t.test('a password changes together with the end of the other sign-ins, or not at all', async (t) => {
  const { store, services, join } = openAccounts(t);
  const who = await join('ada@example.com');
  const request = { email: 'ada@example.com', password: 'another one entirely', currentPassword: PASSWORD };
  const mend = refuse(store.signIns, 'endOthers');
  await t.rejects(services.signIn.setPassword(who, request), { code: 'SQLITE_BUSY' });
  mend();
  t.ok(
    await services.signIn.byPassword('ada@example.com', PASSWORD, from(ADDRESS)),
    'the former one is as good as it was',
  );
  await services.signIn.setPassword(who, request);
  await t.rejects(services.signIn.byPassword('ada@example.com', PASSWORD, from(ADDRESS)), { code: 'sign_in_failed' });
});

t.test('a program that polls again at once, because its tokens could not be written, gets them', async (t) => {
  const { store, services, accounts } = openAccounts(t);
  const { account } = accounts.create('acme');
  const { deviceCode, userCode } = services.devices.begin(CLI, undefined, { address: ADDRESS, holder: ADDRESS });
  services.devices.decide({ accountId: account.id }, userCode, true);
  const mend = refuse(store.tokens, 'insertGrant');
  t.throws(() => services.devices.poll(deviceCode, CLI), { code: 'SQLITE_BUSY' });
  mend();
  t.ok(services.devices.poll(deviceCode, CLI).accessToken);
});

t.test(
  'a device authorization that is requested while the database is locked is counted once, when it is written',
  async (t) => {
    const { store, services } = openAccounts(t);
    const begin = (holder: string) => services.devices.begin(CLI, undefined, { address: holder, holder });
    const mend = refuse(store.deviceAuthorizations, 'insert');
    for (let n = 0; n <= ASKING_RULE.free; n++) t.throws(() => begin(ADDRESS), { code: 'SQLITE_BUSY' });
    mend();
    t.ok(begin(ADDRESS));
  },
);

t.test('a program that cannot be written down takes nobody else’s place', async (t) => {
  const { store, services } = openAccounts(t);
  const begin = (holder: string) => services.devices.begin(CLI, undefined, { address: holder, holder });
  const { deviceCode: first } = begin('first');
  begin('first');
  store.atomically(() => {
    for (let n = 2; n < PENDING_MAX; n++) begin(`${n}`);
  });
  const mend = refuse(store.deviceAuthorizations, 'insert');
  t.throws(() => begin(ADDRESS), { code: 'SQLITE_BUSY' });
  mend();
  t.throws(() => services.devices.poll(first, CLI), { code: 'authorization_pending' });
});
