import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { StoredHistory } from '../store/session-row.ts';
import { HistoryFile } from './history-file.ts';

/**
 * Copies the history of a session that has ended into a new file. What else the thread has to do comes in between. Rejects with
 * SQLite's and the system's errors; then there may be a part of the file.
 */
export async function copyHistory(from: HistoryFile, sessionId: string, path: string): Promise<StoredHistory> {
  rmSync(path, { force: true });
  const copy = new HistoryFile(path, 'make copy');
  try {
    for (const _ of from.copy(sessionId, copy)) await setImmediate();
  } finally {
    copy.close();
  }
  const hash = createHash('sha256');
  let byteSize = 0;
  for await (const bytes of createReadStream(path)) {
    hash.update(bytes);
    byteSize += bytes.length;
  }
  return { byteSize, sha256: hash.digest('hex') };
}

/** Copies that are open at once: their pages are in memory. */
const OPEN_MAX = 4;

/** The copies that are read; a copy never changes, so that one whose file was removed meanwhile is still right. */
export class OpenCopies {
  /** The one that was read last comes last. */
  readonly #files = new Map<string, HistoryFile>();

  /** Throws SQLite's errors. */
  at(path: string): HistoryFile {
    const file = this.#files.get(path) ?? new HistoryFile(path, 'read copy');
    this.#files.delete(path);
    this.#files.set(path, file);
    const [oldest] = this.#files.keys();
    if (oldest !== undefined && this.#files.size > OPEN_MAX) {
      this.#files.get(oldest)?.close();
      this.#files.delete(oldest);
    }
    return file;
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }
}
