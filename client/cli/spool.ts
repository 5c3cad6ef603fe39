import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The same bytes, once all of them have come and nothing was wrong with them. Until then they are in a temporary file that
 * only this user may read, and that has no name any more where the system allows it.
 */
export async function* spooled(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const folder = await mkdtemp(join(tmpdir(), 'runcloud-'));
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => undefined);
  try {
    const file = await open(join(folder, 'file'), 'wx+', 0o600);
    try {
      await remove();
      for await (const chunk of chunks) await file.writeFile(chunk);
      yield* file.createReadStream({ start: 0, autoClose: false });
    } finally {
      await file.close();
    }
  } finally {
    await remove();
  }
}
