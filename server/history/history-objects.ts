import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { StoredHistory } from '../store/session-row.ts';

const keyOf = (sessionId: string): string => `histories/${sessionId}.db`;

/**
 * Histories of sessions that have ended in the object store: each is a copy that the thread of the history can read. Calls reject
 * with a `RecordingFault`.
 */
export class HistoryObjects {
  readonly #finisher: Pick<RecordingFinisher, 'store'>;

  constructor(finisher: Pick<RecordingFinisher, 'store'>) {
    this.#finisher = finisher;
  }

  /** Stores a copy. Can be repeated. */
  async put(sessionId: string, file: string, stored: StoredHistory): Promise<void> {
    const about = { fileName: `${sessionId}.db`, mediaType: 'application/vnd.sqlite3' };
    await this.#finisher.store({ act: 'put', object: { key: keyOf(sessionId), file, ...stored, ...about } });
  }

  /** Writes a copy into a file, and checks that it is what was stored. */
  async get(sessionId: string, file: string, stored: StoredHistory): Promise<void> {
    await this.#finisher.store({ act: 'get', object: { key: keyOf(sessionId), file, ...stored } });
  }

  async isReachable(): Promise<boolean> {
    return this.#finisher.store({ act: 'reach' }).then(
      () => true,
      () => false,
    );
  }

  /** Deletes a copy, if it is there. */
  async remove(sessionId: string): Promise<void> {
    await this.#finisher.store({ act: 'delete', key: keyOf(sessionId) });
  }
}
