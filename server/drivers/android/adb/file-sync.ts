import type { Adb, AdbSync } from '@yume-chan/adb';
import { PushReadableStream } from '@yume-chan/stream-extra';
import { DeviceFault } from '../../../device/fault.ts';
import { ended } from '../../../device/file-faults.ts';
import { plainLine } from '../../process/plain-line.ts';
import { withFileBytes } from './file-bytes.ts';
import type { GuestShell } from './guest-shell.ts';

/** adb's file service, in which paths are bytes and no shell reads them. Each call has a connection of its own that ends with the signal. */

/** Writes a file of this host, or bytes, to a path of the device, with the folders of the path. Rejects with a `DeviceFault`. */
export const sendFile = (
  shell: GuestShell,
  path: string,
  source: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> =>
  withSync(shell, signal, 'The file did not reach the device', (sync) => {
    const send = (pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
      const file = new PushReadableStream<Uint8Array>(async (stream) => {
        for await (const piece of pieces) await stream.enqueue(Uint8Array.from(piece));
      });
      return sync.write({ filename: path, file, permission: 0o644 });
    };
    return typeof source === 'string' ? withFileBytes(source, send) : send([source]);
  });

/** Reads a file of the device; `take` gets its bytes in order. Rejects with a `DeviceFault`, and with what `take` rejects with. */
export const receiveFile = (
  shell: GuestShell,
  path: string,
  take: (piece: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> =>
  withSync(shell, signal, 'The file did not come from the device', async (sync) => {
    for await (const piece of sync.read(path) as unknown as AsyncIterable<Uint8Array>) await take(piece);
  });

async function withSync(
  shell: GuestShell,
  signal: AbortSignal,
  otherwise: string,
  work: (sync: AdbSync) => Promise<void>,
): Promise<void> {
  if (signal.aborted) throw ended();
  const adb: Adb = await shell.connection();
  const close = () => void adb.close().catch(() => undefined);
  signal.addEventListener('abort', close, { once: true });
  try {
    const sync = await adb.sync();
    try {
      await work(sync);
    } finally {
      // Reading cannot be stopped otherwise.
      void sync.dispose().catch(() => undefined);
    }
  } catch (error) {
    if (signal.aborted) throw ended();
    if (error instanceof DeviceFault) throw error;
    throw new DeviceFault(
      'failed',
      `${otherwise}: ${plainLine(error instanceof Error ? error.message : String(error))}`,
    );
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
