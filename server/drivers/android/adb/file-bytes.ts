import { open } from 'node:fs/promises';

/**
 * Gives the bytes of a file of this host to `use`. The file is open before that and closed after it, whether it was read or not: a file
 * that is deleted meanwhile stays readable, and no error is left to nobody.
 */
export async function withFileBytes<T>(
  path: string,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const bytes = (await open(path)).createReadStream();
  try {
    return await use(bytes);
  } finally {
    bytes.destroy();
  }
}
