import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { openOrExplain } from '../flow/open-error.ts';
import type { Database } from './database.ts';

const PIECE_BYTES = 1_048_576;

/**
 * Writes the log that a process before this one has left once more, as it is, and returns when it is on disk. Where an fsync
 * had failed, the system counts what it could not write as written: it is read like everything else, and a further fsync
 * leaves it out. Throws `OpenError`, also when another process keeps the write lock: nobody else may write meanwhile.
 * @param path of the database
 */
export function rewriteLog(database: Database, path: string): void {
  openOrExplain(path, () => database.transaction(() => rewrite(`${path}-wal`)).immediate());
}

function rewrite(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, fstatSync(file).size));
    for (let at = 0; ; ) {
      const bytes = readSync(file, piece, 0, piece.length, at);
      if (bytes === 0) break;
      for (let written = 0; written < bytes; ) {
        written += writeSync(file, piece, written, bytes - written, at + written);
      }
      at += bytes;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
