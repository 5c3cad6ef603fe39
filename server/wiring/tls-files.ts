import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsPaths } from '../settings.ts';
import type { TlsFiles } from '../socket/listener.ts';

/** Reads a certificate and its key; throws, in one line, where they cannot be used together. */
export function readTlsFiles({ cert: certPath, key: keyPath }: TlsPaths): TlsFiles {
  const cert = read('RUNCLOUD_TLS_CERT', certPath);
  const key = read('RUNCLOUD_TLS_KEY', keyPath);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`RUNCLOUD_TLS_CERT and RUNCLOUD_TLS_KEY cannot be used: ${lineOf(error)}`);
  }
  return { cert, key, certPath, keyPath };
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${name} cannot be read: ${lineOf(error)}`);
  }
}

const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
