import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** 256 bits: what HMAC-SHA-256 can use. */
const SECRET_BYTES = 32;

/** Random secrets of this installation, one for each purpose, so that no token of one kind passes for another. */
export class SecretTable {
  readonly #make;
  readonly #get;
  readonly #replace;

  constructor(database: Database) {
    this.#make = database.prepare<[string, Uint8Array, number]>(
      'INSERT INTO secret (purpose, value, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (purpose) DO NOTHING',
    );
    this.#get = database.prepare<[string], Uint8Array>('SELECT value FROM secret WHERE purpose = ?').pluck();
    this.#replace = database.prepare<[string, Uint8Array, number]>(
      `INSERT INTO secret (purpose, value, created_at_ms) VALUES (?, ?, ?)
       ON CONFLICT (purpose) DO UPDATE SET value = excluded.value, created_at_ms = excluded.created_at_ms`,
    );
  }

  /** The 32 bytes kept for `purpose`, made at the first call; every process on this database gets the same. */
  get(purpose: string): Uint8Array {
    const kept = this.#get.get(purpose);
    if (kept) return kept;
    this.#make.run(purpose, randomBytes(SECRET_BYTES), Date.now());
    const made = this.#get.get(purpose);
    if (!made) throw new Error(`The secret for ${purpose} could not be kept`);
    return made;
  }

  /** Puts a new secret in the place of the one kept for `purpose`: what was signed with that one is worth nothing any more. */
  rotate(purpose: string): void {
    this.#replace.run(purpose, randomBytes(SECRET_BYTES), Date.now());
  }
}
