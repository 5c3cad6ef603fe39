import type { Clock } from '../flow/clock.ts';
import type { Store } from '../store/store.ts';

export interface CredentialWatchOptions {
  readonly store: Pick<Store, 'secrets' | 'accounts' | 'dataVersion'>;
  readonly clock: Pick<Clock, 'schedule'>;
  /** The secrets that it keeps. */
  readonly purposes: readonly string[];
  /** Told of each secret that was changed: what was signed with the former one is worth nothing any more. */
  readonly onRotated: (purpose: string) => void;
  /** Told of each account for which a new epoch began: everything that opened it was revoked. */
  readonly onNewEpoch: (accountId: string) => void;
  /** Told of what fails in the background. */
  readonly onError: (error: unknown) => void;
}

/** How soon a change that another process makes is seen. */
export const WATCH_POLL_MS = 500;

/**
 * What is needed to judge what is signed and kept nowhere: the secrets, and the accounts' epochs, as they are now. The admin
 * command may change both while the server runs.
 */
export class CredentialWatch {
  readonly #options: CredentialWatchOptions;
  readonly #secrets = new Map<string, Uint8Array>();
  readonly #epochs = new Map<string, number>();
  #dataVersion = -1;
  #isFirst = true;
  /** A read failed, so that something may not have been taken in. */
  #isDirty = false;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  /** Reads everything at once, and makes the secrets that are not there; SQLite's errors pass through. */
  constructor(options: CredentialWatchOptions) {
    this.#options = options;
    this.#read();
    this.#wait();
  }

  /** What signs for this purpose, to be asked for at each use. */
  secretOf(purpose: string): () => Uint8Array {
    return () => {
      const secret = this.#secrets.get(purpose);
      if (!secret) throw new Error(`The secret for ${purpose} is not watched`);
      return secret;
    };
  }

  /** 0 until everything that opened the account is revoked for the first time. */
  readonly epochOf = (accountId: string): number => this.#epochs.get(accountId) ?? 0;

  /** Takes in at once what this process has changed. */
  look(): void {
    this.#read();
  }

  /** To be called before the store is closed. */
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
      // Whoever looks next reads all of it again.
      this.#isDirty = true;
      throw error;
    }
    this.#isDirty = false;
    this.#isFirst = false;
  }

  #take(): void {
    const { store, purposes, onRotated, onNewEpoch } = this.#options;
    // The version is read first: what is committed between the two reads is then read twice, never missed.
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

  /** A listener that fails keeps no other from being told. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
