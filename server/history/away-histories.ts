import { mkdirSync, rmSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredHistory } from '../store/session-row.ts';
import { type HistoryReads, unavailable } from './history.ts';
import type { HistoryObjects } from './history-objects.ts';

export interface AwayHistoriesOptions {
  readonly history: HistoryReads;
  /** What is in the object store of a session's history; `undefined` where it is not there. */
  readonly storedOf: (sessionId: string) => StoredHistory | undefined;
  readonly objects: Pick<HistoryObjects, 'get'>;
  /** Absolute path of a folder for the copies. */
  readonly folder: string;
  /** Free space of the disk that copies leave. */
  readonly headroomBytes: number;
  readonly onFault: (error: unknown) => void;
}

/** Copies on the disk. */
const COPIES_MAX = 8;

/** Histories of sessions whose hosts are away, read from copies of their objects. The copies that were read last stay on the disk. */
export class AwayHistories implements HistoryReads {
  readonly #options: AwayHistoriesOptions;
  /** Paths by session; the one that was read last comes last. */
  readonly #copies = new Map<string, Promise<string>>();
  #fetches = 0;

  /** Throws the system's errors. */
  constructor(options: AwayHistoriesOptions) {
    this.#options = options;
    rmSync(options.folder, { recursive: true, force: true });
    mkdirSync(options.folder, { mode: 0o700 });
  }

  /** As `History.read`; `store_unavailable` also while the object cannot be fetched. */
  readonly read: HistoryReads['read'] = async (accountId, order) =>
    this.#options.history.read(accountId, { ...order, copy: await this.#copyOf(order.sessionId) });

  /** As `History.find`; `store_unavailable` also while the object cannot be fetched. */
  readonly find: HistoryReads['find'] = async (accountId, order) =>
    this.#options.history.find(accountId, { ...order, copy: await this.#copyOf(order.sessionId) });

  #copyOf(sessionId: string): Promise<string> {
    const known = this.#copies.get(sessionId);
    const copy = known ?? this.#fetch(sessionId);
    this.#copies.delete(sessionId);
    this.#copies.set(sessionId, copy);
    if (!known) {
      copy.catch(() => this.#copies.delete(sessionId));
      this.#forgetOldest();
    }
    return copy;
  }

  async #fetch(sessionId: string): Promise<string> {
    const { storedOf, objects, folder, headroomBytes, onFault } = this.#options;
    // A name of its own, so that the removal of an earlier copy never takes it.
    const path = join(folder, `${sessionId}-${++this.#fetches}.db`);
    try {
      const stored = storedOf(sessionId);
      if (!stored) throw new Error('the history is not in the object store any more');
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < stored.byteSize + headroomBytes) throw new Error('the disk has no room for a history');
      await objects.get(sessionId, path, stored);
      return path;
    } catch (error) {
      onFault(error);
      await rm(path, { force: true }).catch(onFault);
      throw unavailable();
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#copies;
    if (this.#copies.size <= COPIES_MAX || !oldest) return;
    const [sessionId, copy] = oldest;
    this.#copies.delete(sessionId);
    // One that could not be fetched is gone already.
    copy.then((path) => rm(path, { force: true })).catch(() => undefined);
  }
}
