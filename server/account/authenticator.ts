import { timingSafeEqual } from 'node:crypto';
import type { CredentialKind } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { KeyChange } from '../store/key-table.ts';
import type { Store } from '../store/store.ts';
import { digestOf, hasValidChecksum, looksMade } from './api-key.ts';
import type { ViewerClaims } from './viewer-tokens.ts';

/** The identity behind a request. */
export interface Principal {
  readonly accountId: string;
  readonly organizationId: string;
  readonly keyId: string;
  readonly accountName: string;
  /** Absent for an API key. For others `keyId` is the id of the program's grant or of the browser's sign-in. */
  readonly kind?: Exclude<CredentialKind, 'key'>;
  /** Milliseconds since the epoch; absent for a credential without an expiry. */
  readonly expiresAtMs?: number;
  /** Of a token for one session, which is no credential of the account; `keyId` is then its link's, or the session's. */
  readonly token?: ViewerClaims;
  /** When a browser signed in, in milliseconds since the epoch; absent for other credentials. */
  readonly signedInAtMs?: number;
}

export interface AuthenticatorOptions {
  readonly store: Pick<Store, 'keys' | 'dataVersion'>;
  readonly clock: Clock;
  /** Called for failures in the background: reading changes, writing times of last use, a listener. */
  readonly onError?: (error: unknown) => void;
}

interface LiveKey {
  readonly principal: Principal;
  /** Its key in the map. */
  readonly index: string;
  readonly digestTail: Buffer;
  /** The latest header with this key. */
  header: string | undefined;
  lastUsedAtMs: number;
  /** Monotonic time at which the last use was written. */
  writtenAtMs: number;
}

/** How soon another process's revocation is seen: well within the documented two seconds. */
export const KEY_POLL_MS = 500;
/** Times of last use are written at most this often for each key. */
export const LAST_USE_WRITE_MS = 60_000;

/** RFC 9110 section 11.4: the scheme's name in any case, then spaces. 200 is the length of the longest key. */
const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

/** The credential of an `Authorization: Bearer` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];

// A key is looked up by the first 128 bits of its digest, and the other 128 are compared in constant time, so that timing
// reveals nothing about a key.
const INDEX_DIGITS = 32;
const NO_TAIL = Buffer.alloc(INDEX_DIGITS);

/**
 * Authenticates requests by their `Authorization` header. All valid keys are in memory, so that a request costs one digest and
 * one look-up, and the next one with the same header only the look-up; an unknown key uses no memory. A change counter in the
 * table and SQLite's `data_version` keep the keys in sync with the database, whichever process writes it.
 */
export class Authenticator {
  readonly #store;
  readonly #clock;
  readonly #onError;
  readonly #live = new Map<string, LiveKey>();
  /** Valid keys by their latest header: at most one entry per key, removed with the key. */
  readonly #proven = new Map<string, LiveKey>();
  readonly #used = new Set<LiveKey>();
  /** Keys that will expire. */
  readonly #mortal = new Set<LiveKey>();
  /** Expired keys: they become valid again if the wall clock is set back. */
  readonly #expired = new Set<LiveKey>();
  readonly #revokedListeners = new Set<(keyId: string) => void>();
  #dataVersion = -1;
  #localWrites = -1;
  #restarts = 0;
  #revision = 0;
  #cancelPoll: () => void;
  #closed = false;

  /** Reads all keys at once; SQLite's errors pass through. */
  constructor(options: AuthenticatorOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#onError = options.onError ?? (() => {});
    this.#refresh();
    this.#cancelPoll = this.#clock.schedule(KEY_POLL_MS, this.#poll);
  }

  /** `undefined` for a header that is absent or malformed, or without a valid key. */
  authenticate(authorizationHeader: string | undefined): Principal | undefined {
    if (authorizationHeader === undefined) return undefined;
    if (this.#store.keys.localWrites !== this.#localWrites) this.#refresh();
    const live = this.#proven.get(authorizationHeader) ?? this.#prove(authorizationHeader);
    if (!live || this.#hasExpired(live)) return undefined;
    live.lastUsedAtMs = this.#clock.wallMs();
    this.#used.add(live);
    return live.principal;
  }

  /**
   * Calls `listener` with the id of each key that is revoked or expires from now on, so that its live sockets can be
   * closed: at the latest `KEY_POLL_MS` after it expired, or after another process revoked it. The returned function removes the
   * listener.
   */
  onRevoked(listener: (keyId: string) => void): () => void {
    this.#revokedListeners.add(listener);
    return () => this.#revokedListeners.delete(listener);
  }

  /** Writes the pending times of last use and stops polling. Call it before the store is closed. */
  close(): void {
    this.#closed = true;
    this.#cancelPoll();
    this.#attempt(() => this.#writeLastUses([...this.#used]));
  }

  #prove(header: string): LiveKey | undefined {
    const key = bearerOf(header);
    if (key === undefined) return undefined;
    const digest = digestOf(key);
    const live = this.#find(digest) ?? this.#findNew(key, digest);
    if (!live) return undefined;
    if (live.header !== undefined) this.#proven.delete(live.header);
    live.header = header;
    this.#proven.set(header, live);
    return live;
  }

  #find(digest: string): LiveKey | undefined {
    const live = this.#live.get(digest.slice(0, INDEX_DIGITS));
    const tail = Buffer.from(digest.slice(INDEX_DIGITS), 'latin1');
    return timingSafeEqual(tail, live?.digestTail ?? NO_TAIL) ? live : undefined;
  }

  /** Looks up an unknown key in the database, so that a key just created by another process works before the next poll. */
  #findNew(key: string, digest: string): LiveKey | undefined {
    // A mistyped key fails its checksum and is refused without a query.
    if (looksMade(key) && !hasValidChecksum(key)) return undefined;
    return this.#refreshIfChanged() ? this.#find(digest) : undefined;
  }

  readonly #poll = () => {
    this.#attempt(() => this.#refreshIfChanged());
    this.#followWallClock();
    // A listener may have closed the authenticator.
    if (this.#closed) return;
    const dueBefore = this.#clock.monotonicMs() - LAST_USE_WRITE_MS;
    this.#attempt(() => this.#writeLastUses([...this.#used].filter((live) => live.writtenAtMs <= dueBefore)));
    this.#cancelPoll = this.#clock.schedule(KEY_POLL_MS, this.#poll);
  };

  #followWallClock(): void {
    for (const live of [...this.#expired]) {
      if (this.#hasExpired(live)) continue;
      this.#expired.delete(live);
      this.#mortal.add(live);
    }
    for (const live of [...this.#mortal]) {
      if (!this.#hasExpired(live)) continue;
      this.#mortal.delete(live);
      this.#expired.add(live);
      this.#tellRevoked(live);
    }
  }

  #refreshIfChanged(): boolean {
    const { keys } = this.#store;
    if (this.#store.dataVersion() === this.#dataVersion && keys.localWrites === this.#localWrites) return false;
    this.#refresh();
    return true;
  }

  #refresh(): void {
    // The version is read first: a change committed between the two reads is then read twice, never missed.
    const dataVersion = this.#store.dataVersion();
    const { localWrites, restarts } = this.#store.keys;
    const isRestarted = restarts !== this.#restarts;
    /** Keys that are not among the changes. */
    const unseen = isRestarted ? new Set(this.#live.values()) : undefined;
    if (isRestarted) this.#revision = 0;
    for (const change of this.#store.keys.changedSince(this.#revision)) {
      const known = this.#live.get(change.digest.slice(0, INDEX_DIGITS));
      if (change.revoked) this.#remove(change);
      else if (!known) this.#add(change);
      if (known) unseen?.delete(known);
      this.#revision = change.revision;
    }
    for (const live of unseen ?? []) this.#end(live);
    this.#restarts = restarts;
    this.#dataVersion = dataVersion;
    this.#localWrites = localWrites;
  }

  #add({ keyId, accountId, organizationId, accountName, expiresAtMs, digest }: KeyChange): void {
    const mortal = expiresAtMs === null ? {} : { expiresAtMs };
    const live: LiveKey = {
      principal: Object.freeze({ accountId, organizationId, keyId, accountName, ...mortal }),
      index: digest.slice(0, INDEX_DIGITS),
      digestTail: Buffer.from(digest.slice(INDEX_DIGITS), 'latin1'),
      header: undefined,
      lastUsedAtMs: 0,
      writtenAtMs: Number.NEGATIVE_INFINITY,
    };
    this.#live.set(live.index, live);
    if (expiresAtMs !== null) this.#mortal.add(live);
  }

  #remove({ digest }: KeyChange): void {
    const live = this.#live.get(digest.slice(0, INDEX_DIGITS));
    if (live) this.#end(live);
  }

  #hasExpired({ principal: { expiresAtMs } }: LiveKey): boolean {
    return expiresAtMs !== undefined && expiresAtMs <= this.#clock.wallMs();
  }

  #end(live: LiveKey): void {
    this.#mortal.delete(live);
    this.#expired.delete(live);
    if (live.header !== undefined) this.#proven.delete(live.header);
    if (this.#live.delete(live.index)) this.#tellRevoked(live);
  }

  #tellRevoked(live: LiveKey): void {
    for (const listener of this.#revokedListeners) this.#attempt(() => listener(live.principal.keyId));
  }

  #writeLastUses(due: readonly LiveKey[]): void {
    if (due.length === 0) return;
    this.#store.keys.markUsed(due.map((live) => ({ keyId: live.principal.keyId, atMs: live.lastUsedAtMs })));
    const writtenAtMs = this.#clock.monotonicMs();
    for (const live of due) {
      live.writtenAtMs = writtenAtMs;
      this.#used.delete(live);
    }
  }

  #attempt(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#onError(error);
    }
  }
}
