import type { Database } from './database.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** What the operator has said of a host of the fleet. */
export interface FleetHostRow {
  readonly name: string;
  readonly addedAtMs: number;
  /** 1: no new session goes there. */
  readonly draining: 0 | 1;
  /** Nothing of it is heard from then on. */
  readonly removedAtMs?: number;
}

const COLUMNS = 'name, added_at_ms AS addedAtMs, draining, removed_at_ms AS removedAtMs';

/** The hosts of an edge's fleet. One that stands here is not there for that; one that is there need not stand here. */
export class FleetHostTable {
  readonly #add;
  readonly #get;
  readonly #list;
  readonly #drain;
  readonly #remove;

  constructor(database: Database) {
    this.#add = database.prepare<[string, number]>(
      `INSERT INTO fleet_host (name, added_at_ms) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET added_at_ms = excluded.added_at_ms, draining = 0, removed_at_ms = NULL`,
    );
    this.#get = database.prepare<[string], SqlRow<FleetHostRow>>(`SELECT ${COLUMNS} FROM fleet_host WHERE name = ?`);
    this.#list = database.prepare<[], SqlRow<FleetHostRow>>(`SELECT ${COLUMNS} FROM fleet_host ORDER BY name`);
    this.#drain = database.prepare<[number, string]>('UPDATE fleet_host SET draining = ? WHERE name = ?');
    this.#remove = database.prepare<[number, string]>('UPDATE fleet_host SET removed_at_ms = ? WHERE name = ?');
  }

  /** Keeps a host; one that was drained or removed is as new. */
  add(name: string, atMs: number): void {
    this.#add.run(name, atMs);
  }

  get(name: string): FleetHostRow | undefined {
    const row = this.#get.get(name);
    return row && withoutNulls<FleetHostRow>(row);
  }

  /** By name, the removed ones with them. */
  list(): FleetHostRow[] {
    return this.#list.all().map((row) => withoutNulls<FleetHostRow>(row));
  }

  /** False for a host that was never added. */
  setDraining(name: string, isDraining: boolean): boolean {
    return this.#drain.run(isDraining ? 1 : 0, name).changes === 1;
  }

  /** False for a host that was never added. */
  remove(name: string, atMs: number): boolean {
    return this.#remove.run(atMs, name).changes === 1;
  }
}
