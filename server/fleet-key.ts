import { FLEET_KEY_PURPOSE, GrantSigner } from './fleet/grants.ts';
import { databasePath } from './store/database.ts';
import { Store } from './store/store.ts';

/** The public key of the edge with this data directory, made where there is none. */
export function fleetKeyOf(dataDir: string): string {
  const store = new Store(databasePath(dataDir));
  try {
    return new GrantSigner(store.secrets.get(FLEET_KEY_PURPOSE)).publicKey;
  } finally {
    store.close();
  }
}
