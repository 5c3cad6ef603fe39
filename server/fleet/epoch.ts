import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The number of this start of a host: it grows by one at each, and is on disk before it is told. */
export function nextEpoch(dataDir: string): number {
  const path = join(dataDir, 'host-epoch');
  const epoch = readEpoch(path) + 1;
  const file = openSync(`${path}.tmp`, 'w', 0o600);
  try {
    writeSync(file, `${epoch}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.tmp`, path);
  return epoch;
}

function readEpoch(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  if (!/^\d{1,15}$/.test(text))
    throw new Error(`${path} holds no number of a start; remove it if the host is known to no edge`);
  return Number(text);
}
