import { AccountServices } from '../../server/account/account-services.ts';
import { Accounts } from '../../server/account/accounts.ts';
import { Authenticator, type Principal } from '../../server/account/authenticator.ts';
import { PasswordHasher } from '../../server/account/password-hash.ts';
import { openStore } from '../store/open-store.ts';
import { ManualClock } from './manual-clock.ts';

export const PASSWORD = 'correct horse battery';
export const ADDRESS = '192.0.2.7';

/** The accounts' services over a database of their own, a clock that the test turns, and hashes that cost nothing. */
export function openAccounts(t: Parameters<typeof openStore>[0]) {
  const store = openStore(t);
  const clock = new ManualClock();
  const accounts = new Accounts(store, clock);
  const authenticator = new Authenticator({ store, clock });
  t.teardown(() => authenticator.close());
  const revoked: string[] = [];
  const services = new AccountServices({
    store,
    clock,
    accounts,
    authenticator,
    onRevoked: (id) => revoked.push(id),
    hasher: new PasswordHasher({ logN: 2, r: 8, p: 1 }),
  });
  const secretOf = (path: string) => path.split('#')[1] ?? '';
  return {
    store,
    clock,
    accounts,
    authenticator,
    services,
    revoked,
    secretOf,
    /** Makes an account whose owner signs in by `email` and `PASSWORD`. */
    async join(email: string): Promise<Principal> {
      const token = secretOf(services.links.invite(email).path);
      const { secret } = await services.signIn.acceptInvitation({ token, password: PASSWORD }, ADDRESS);
      const who = services.signIns.find(secret);
      if (!who) throw new Error('not signed in');
      return who;
    },
  };
}
