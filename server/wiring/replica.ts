import { Replica, type ReplicaOptions } from '../replica/replica.ts';
import type { Store } from '../store/store.ts';

/**
 * Loads what the edges of a fleet have in common into a store, and keeps it equal. Other processes begin after `begun`. Rejects when the database
 * cannot be used.
 */
export async function openReplica(
  databaseUrl: string,
  store: Store,
  options: Omit<ReplicaOptions, 'rows' | 'changes'>,
): Promise<Replica> {
  // Only those with such a database need the library.
  const { PostgresRows } = await import('../replica/postgres-rows.ts');
  const replica = new Replica({ ...options, rows: new PostgresRows(databaseUrl), changes: store.openChanges() });
  try {
    await replica.begin();
  } catch (error) {
    await replica.close();
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
    throw new Error(`the database of RUNCLOUD_DATABASE_URL cannot be used: ${reason}`);
  }
  store.replicate(replica);
  return replica;
}
