import { databasePath } from '../../server/store/database.ts';
import { type Served, Store } from '../../server/store/store.ts';

interface Test {
  testdir(): string;
  teardown(task: () => void): void;
}

/** A store in the test's own folder, closed at its end. */
export function openStore(t: Test, served?: Served): Store {
  const store = new Store(databasePath(t.testdir()), served);
  t.teardown(() => store.close());
  return store;
}

/** Two connections to one database, as the server and the admin command have them. */
export function openTwice(t: Test): [Store, Store] {
  const path = databasePath(t.testdir());
  const stores: [Store, Store] = [new Store(path), new Store(path)];
  t.teardown(() => {
    for (const store of stores) store.close();
  });
  return stores;
}

export function account(name: string, createdAtMs = 1) {
  return { id: `acc_${name}`, organizationId: `org_${name}`, name, createdAtMs };
}

/** A digest made of one hex digit. */
export const digest = (digit: string) => digit.repeat(64);
