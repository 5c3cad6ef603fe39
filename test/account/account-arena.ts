import { AccountServices } from '../../server/account/account-services.ts';
import { Accounts } from '../../server/account/accounts.ts';
import { Authenticator, type Principal } from '../../server/account/authenticator.ts';
import { KNOWN_BROWSER_PURPOSE } from '../../server/account/known-browsers.ts';
import { type Asker, PasswordHasher } from '../../server/account/password-hash.ts';
import type { Served } from '../../server/store/store.ts';
import { openStore } from '../store/open-store.ts';
import { ManualClock } from './manual-clock.ts';

export const PASSWORD = 'correct horse battery';
export const ADDRESS = '192.0.2.7';
/** Somebody at this address, in a browser that may have kept a mark. */
export const from = (holder: string, mark?: string) => ({ holder, mark });

/**
 * The accounts' services over a database of their own, a clock that the test turns, and hashes that cost nothing.
 * @param startLog what waits for the disk, of a store as a server has it
 */
export function openAccounts(t: Parameters<typeof openStore>[0], startLog?: Served['startLog']) {
  const clock = new ManualClock();
  const store = openStore(t, startLog && { clock, startLog, onFailed: () => undefined, onTrouble: () => undefined });
  const accounts = new Accounts(store, clock);
  const authenticator = new Authenticator({ store, clock });
  t.teardown(() => authenticator.close());
  const revoked: string[] = [];
  const asked: Asker[] = [];
  const hasher = new PasswordHasher({ logN: 2, r: 8, p: 1 });
  const verify = hasher.verify.bind(hasher);
  hasher.verify = (password, stored, asker) => {
    asked.push(asker);
    return verify(password, stored, asker);
  };
  const services = new AccountServices({
    store,
    clock,
    accounts,
    authenticator,
    browserSecret: () => store.secrets.get(KNOWN_BROWSER_PURPOSE),
    onAllRevoked: () => undefined,
    onRevoked: (id) => revoked.push(id),
    hasher,
  });
  const secretOf = (path: string) => path.split('#')[1] ?? '';
  return {
    store,
    clock,
    accounts,
    authenticator,
    services,
    revoked,
    /** For whom passwords were compared, in that order. */
    asked,
    secretOf,
    /** Makes an account whose owner signs in by `email` and `PASSWORD`. */
    async join(email: string): Promise<Principal> {
      const token = secretOf(services.links.invite(email).path);
      const { secret } = await services.signIn.acceptInvitation({ token, password: PASSWORD }, from(ADDRESS));
      const who = services.signIns.find(secret);
      if (!who) throw new Error('not signed in');
      return who;
    },
  };
}
