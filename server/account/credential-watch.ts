import type { Clock } from '../flow/clock.ts';
import type { Store } from '../store/store.ts';

export interface CredentialWatchOptions {
  readonly store: Pick<Store, 'secrets' | 'accounts' | 'dataVersion'>;
  readonly clock: Pick<Clock, 'schedule'>;
  /** The purposes of the watched secrets. */
  readonly purposes: readonly string[];
  /** Called for each changed secret: everything signed with the former one is invalid. */
  readonly onRotated: (purpose: string) => void;
  /** Called for each account with a new epoch: all of its credentials were revoked. */
  readonly onNewEpoch: (accountId: string) => void;
  /** Called for failures in the background. */
  readonly onError: (error: unknown) => void;
}

/** How soon another process's change is seen. */
export const WATCH_POLL_MS = 500;

/**
 * Keeps the signing secrets and the accounts' epochs up to date, which decide whether signed tokens are valid. The admin command
 * may change both while the server runs.
 */
export class CredentialWatch {
  readonly #options: CredentialWatchOptions;
  readonly #secrets = new Map<string, Uint8Array>();
  readonly #epochs = new Map<string, number>();
  #dataVersion = -1;
  #isFirst = true;
  /** A read failed, so the state may be out of date. */
  #isDirty = false;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  /** Reads everything, and creates missing secrets; SQLite's errors pass through. */
  constructor(options: CredentialWatchOptions) {
    this.#options = options;
    this.#read();
    this.#wait();
  }

  /** The current secret of a purpose; read it at each use. */
  secretOf(purpose: string): () => Uint8Array {
    return () => {
      const secret = this.#secrets.get(purpose);
      if (!secret) throw new Error(`The secret for ${purpose} is not watched`);
      return secret;
    };
  }

  /** The account's epoch: 0 until all of its credentials are revoked for the first time. */
  readonly epochOf = (accountId: string): number => this.#epochs.get(accountId) ?? 0;

  /** Reads this process's own changes at once. */
  look(): void {
    this.#read();
  }

  /** Call it before the store is closed. */
  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  #wait(): void {
    this.#cancelTimer = this.#options.clock.schedule(WATCH_POLL_MS, () => {
      try {
        if (this.#isDirty || this.#options.store.dataVersion() !== this.#dataVersion) this.#read();
      } catch (error) {
        this.#options.onError(error);
      }
      if (!this.#closed) this.#wait();
    });
  }

  #read(): void {
    try {
      this.#take();
    } catch (error) {
      // The next access reads everything again.
      this.#isDirty = true;
      throw error;
    }
    this.#isDirty = false;
    this.#isFirst = false;
  }

  #take(): void {
    const { store, purposes, onRotated, onNewEpoch } = this.#options;
    // The version is read first: a change committed between the two reads is then read twice, never missed.
    const dataVersion = store.dataVersion();
    for (const purpose of purposes) {
      const former = this.#secrets.get(purpose);
      const present = store.secrets.get(purpose);
      if (former !== undefined && Buffer.compare(former, present) === 0) continue;
      this.#secrets.set(purpose, Uint8Array.from(present));
      if (former !== undefined) this.#tell(() => onRotated(purpose));
    }
    for (const { id, epoch } of store.accounts.epochs()) {
      if (this.epochOf(id) === epoch) continue;
      this.#epochs.set(id, epoch);
      if (!this.#isFirst) this.#tell(() => onNewEpoch(id));
    }
    this.#dataVersion = dataVersion;
  }

  /** A listener that throws does not stop the others. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
