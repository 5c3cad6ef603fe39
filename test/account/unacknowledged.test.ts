import type { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { ACCESS_LIFE_MS } from '../../server/account/oauth-tokens.ts';
import { REPEATABLE_MS } from '../../server/account/repeats.ts';
import { SYNC_MS_MAX } from '../../server/store/durable-log.ts';
import type { LogReport } from '../../server/store/log-messages.ts';
import { ADDRESS, from, openAccounts, PASSWORD } from './account-arena.ts';

/** A change is made, the disk stalls behind it, its caller is told so and asks again. */

const CLI = 'runcloud-cli';
const OTHER = 'another one entirely';
type Arena = ReturnType<typeof open>;

/** The accounts' services on a disk that can be made to stall. */
function open(t: Parameters<typeof openAccounts>[0]) {
  let report: (reports: readonly LogReport[]) => void = () => undefined;
  const disk = { stalls: false };
  const sync = () => {
    if (!disk.stalls) setImmediate(() => report([{ type: 'synced' }]));
  };
  const arena = openAccounts(t, () => ({
    send: sync,
    onReceive: (listener) => {
      report = listener;
    },
    onClosed: () => undefined,
    close: async () => undefined,
  }));
  const { store, clock } = arena;
  return {
    ...arena,
    /** Runs a change as a route does, and answers that the storage is in trouble, although it is made. */
    async unanswered(change: () => unknown): Promise<void> {
      disk.stalls = true;
      let made = false;
      const answer = store.commit(async () => {
        await change();
        made = true;
      });
      while (!made) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(SYNC_MS_MAX);
      const error = await answer.then(
        () => undefined,
        (reason: ServiceError) => reason,
      );
      if (error?.code !== 'store_unavailable') throw new Error(`it was answered: ${String(error)}`);
      disk.stalls = false;
      report([{ type: 'synced' }]);
    },
  };
}

function granted(t: Parameters<typeof openAccounts>[0]) {
  const arena = open(t);
  const { account } = arena.accounts.create('acme');
  const { tokens } = arena.services;
  return { ...arena, account, tokens, issued: tokens.grant(account.id, CLI, 'laptop') };
}

const opens = ({ services }: Pick<Arena, 'services'>, accessToken: string) =>
  services.authenticate(`Bearer ${accessToken}`) !== undefined;

t.test('a refresh that was not answered can be repeated, as often as that happens', async (t) => {
  const arena = granted(t);
  const { tokens, issued, unanswered, revoked, store } = arena;
  for (let n = 0; n < 3; n++) await unanswered(() => tokens.refresh(issued.refreshToken, CLI));
  const second = await store.commit(() => tokens.refresh(issued.refreshToken, CLI));
  t.ok(opens(arena, second.accessToken));
  t.ok(opens(arena, tokens.refresh(second.refreshToken, CLI).accessToken));
  t.same(revoked, []);
});

t.test('the tokens of an answer that was asked for again are void, and whoever has them is noticed', async (t) => {
  const arena = granted(t);
  const { tokens, issued, revoked } = arena;
  const stolen = tokens.refresh(issued.refreshToken, CLI);
  const own = tokens.refresh(issued.refreshToken, CLI);
  t.notOk(opens(arena, stolen.accessToken));
  t.ok(opens(arena, own.accessToken));
  t.throws(() => tokens.refresh(stolen.refreshToken, CLI), { code: 'invalid_grant' });
  t.equal(revoked.length, 1);
  t.notOk(opens(arena, own.accessToken), 'one of the two is a thief');
});

t.test('a spent token whose successor is in use ends the grant, whichever of the two was used', async (t) => {
  for (const use of ['accessToken', 'refreshToken'] as const) {
    const arena = granted(t);
    const { tokens, issued, revoked } = arena;
    const second = tokens.refresh(issued.refreshToken, CLI);
    if (use === 'accessToken') t.ok(opens(arena, second.accessToken));
    else tokens.refresh(second.refreshToken, CLI);
    t.throws(() => tokens.refresh(issued.refreshToken, CLI), { code: 'invalid_grant' }, use);
    t.equal(revoked.length, 1, use);
  }
});

t.test(
  'a spent token is good for nothing but the end of its grant after a while, nor for another client',
  async (t) => {
    const arena = granted(t);
    const { tokens, issued, clock, revoked } = arena;
    t.ok(REPEATABLE_MS < ACCESS_LIFE_MS, 'its successor is remembered for longer');
    tokens.refresh(issued.refreshToken, CLI);
    t.throws(() => tokens.refresh(issued.refreshToken, 'other'), { code: 'invalid_grant' });
    t.same(revoked, []);
    clock.advance(REPEATABLE_MS);
    t.throws(() => tokens.refresh(issued.refreshToken, CLI), { code: 'invalid_grant' });
    t.equal(revoked.length, 1);
  },
);

t.test('a device code that was not answered can be exchanged again, until its tokens are used', async (t) => {
  const arena = open(t);
  const { services, accounts, unanswered, store } = arena;
  const { devices } = services;
  const { account, keyId } = accounts.create('acme');
  const { deviceCode, userCode } = devices.begin(CLI, undefined, { address: ADDRESS, holder: ADDRESS });
  const who = { accountId: account.id, keyId };
  await unanswered(() => devices.decide(who, userCode, true));
  t.equal(devices.decide(who, userCode, true), userCode, 'so can the decision');
  t.throws(() => devices.decide(who, userCode, false), { code: 'device_request_not_found' });
  t.throws(() => devices.decide({ ...who, keyId: 'key_2' }, userCode, true), { code: 'device_request_not_found' });
  await unanswered(() => devices.poll(deviceCode, CLI));
  const first = devices.poll(deviceCode, CLI);
  const second = await store.commit(() => devices.poll(deviceCode, CLI));
  t.notOk(opens(arena, first.accessToken), 'there is one pair of tokens');
  t.ok(opens(arena, second.accessToken));
  t.throws(() => devices.poll(deviceCode, CLI), { code: 'invalid_grant' });
  t.equal(services.tokens.list(who, { limit: 50 }).items.length, 1);
});

t.test('a program that was shut out does not come in again by its device code', async (t) => {
  const { services, accounts } = open(t);
  const { devices, tokens } = services;
  const { account } = accounts.create('acme');
  const { deviceCode, userCode } = devices.begin(CLI, undefined, { address: ADDRESS, holder: ADDRESS });
  devices.decide({ accountId: account.id }, userCode, true);
  tokens.revoke({ accountId: account.id }, devices.poll(deviceCode, CLI).grantId);
  t.throws(() => devices.poll(deviceCode, CLI), { code: 'invalid_grant' });
});

t.test('a sign-in link that was not answered opens once more, until a request came with the cookie', async (t) => {
  const { services, accounts, secretOf, unanswered, clock } = open(t);
  accounts.create('acme');
  const { signIn, signIns, links } = services;
  const token = secretOf(links.signIn('acme').path);
  await unanswered(() => signIn.byLink(token, from(ADDRESS)));
  const first = signIn.byLink(token, from(ADDRESS));
  const second = signIn.byLink(token, from(ADDRESS));
  t.equal(signIns.find(first.secret), undefined);
  t.ok(signIns.find(second.secret));
  t.throws(() => signIn.byLink(token, from(ADDRESS)), { code: 'sign_in_link_invalid' });
  const left = secretOf(links.signIn('acme').path);
  signIn.byLink(left, from(ADDRESS));
  clock.advance(REPEATABLE_MS);
  t.throws(() => signIn.byLink(left, from(ADDRESS)), { code: 'sign_in_link_invalid' });
  const out = secretOf(links.signIn('acme').path);
  signIns.end(signIn.byLink(out, from(ADDRESS)).secret);
  t.throws(() => signIn.byLink(out, from(ADDRESS)), { code: 'sign_in_link_invalid' }, 'one that signed out');
});

t.test('an invitation that was accepted without an answer is accepted again with the same password', async (t) => {
  const { services, accounts, secretOf, unanswered } = open(t);
  const { signIn, signIns, links } = services;
  const token = secretOf(links.invite('ada@example.com').path);
  await unanswered(() => signIn.acceptInvitation({ token, password: PASSWORD }, from(ADDRESS)));
  const { secret } = await signIn.acceptInvitation({ token, password: PASSWORD }, from(ADDRESS));
  t.match(signIns.find(secret), { accountName: 'ada@example.com' });
  t.equal(accounts.list().length, 1);
  const stolen = signIn.acceptInvitation({ token, password: OTHER }, from(ADDRESS));
  await t.rejects(stolen, { code: 'sign_in_link_invalid' });
});

t.test('a password that was changed without an answer is changed again by the same request', async (t) => {
  const { services, join, unanswered, clock } = open(t);
  const who = await join('ada@example.com');
  const { signIn } = services;
  clock.advance(3_600_000);
  const request = { email: 'ada@example.com', password: OTHER, currentPassword: PASSWORD };
  await unanswered(() => signIn.setPassword(who, request));
  await signIn.setPassword(who, request);
  t.ok(await signIn.byPassword('ada@example.com', OTHER, from(ADDRESS)));
  const wrong = { ...request, password: 'neither of the two' };
  await t.rejects(signIn.setPassword(who, wrong), { code: 'sign_in_failed' });
  clock.advance(REPEATABLE_MS);
  await t.rejects(signIn.setPassword(who, request), { code: 'sign_in_failed' }, 'it is no repetition any more');
});
