import type { Database } from './sqlite.ts';

export interface OutboxEntry {
  /** Rises with each change of anything. */
  readonly position: number;
  readonly kind: 'session' | 'recording';
  readonly id: string;
}

/** What a host has to tell its edges: each session and recording once, at the place of its last change. */
export class OutboxTable {
  readonly #newest;
  readonly #after;

  /** Notes from now on what this connection changes, in the transaction of the change itself. */
  constructor(database: Database) {
    for (const kind of ['session', 'recording'] as const) {
      const note = `INSERT OR REPLACE INTO outbox (kind, id) VALUES ('${kind}', NEW.id)`;
      database.exec(`
        CREATE TEMP TRIGGER outbox_${kind}_begins AFTER INSERT ON main.${kind} BEGIN ${note}; END;
        CREATE TEMP TRIGGER outbox_${kind}_changes AFTER UPDATE ON main.${kind} BEGIN ${note}; END;
        CREATE TEMP TRIGGER outbox_${kind}_goes AFTER DELETE ON main.${kind}
          BEGIN DELETE FROM outbox WHERE kind = '${kind}' AND id = OLD.id; END;
        -- Of a service that has become a host.
        INSERT OR IGNORE INTO outbox (kind, id) SELECT '${kind}', id FROM ${kind} ORDER BY rowid;`);
    }
    this.#newest = database.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'outbox'`).pluck();
    this.#after = database.prepare<[number, number], OutboxEntry>(
      'SELECT position, kind, id FROM outbox WHERE position > ? ORDER BY position LIMIT ?',
    );
  }

  /** The latest position, of which the entry may have gone with what it told of; 0 before the first one. */
  get newest(): number {
    return this.#newest.get() ?? 0;
  }

  after(position: number, countMax: number): OutboxEntry[] {
    return this.#after.all(position, countMax);
  }
}
