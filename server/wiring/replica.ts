import type { Logger } from 'pino';
import type { Clock } from '../flow/clock.ts';
import type { OnFault } from '../observe/log-ids.ts';
import { Replica } from '../replica/replica.ts';
import type { Store } from '../store/store.ts';

/** Loads what the edges of a fleet have in common, and keeps the store equal to it. Rejects when the database cannot be reached. */
export async function openReplica(
  databaseUrl: string,
  { store, clock, logger, onFault }: { store: Store; clock: Clock; logger: Logger; onFault: OnFault },
): Promise<Replica> {
  // Only edges with such a database need the library.
  const { PostgresRows } = await import('../replica/postgres-rows.ts');
  const replica = new Replica({
    rows: new PostgresRows(databaseUrl),
    changes: store.openChanges(),
    clock,
    onReached: (isReached, err) => {
      if (isReached) logger.info('the database is back');
      else logger.error({ err }, 'the database cannot be reached: known credentials are good for a minute');
    },
    onFault,
  });
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
