import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import type { KeptFile, SnapshotSource } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';

/**
 * The file of a snapshot: a line with its format and the checksum of the rest, which is JSON. Another meaning of the JSON needs another
 * format.
 */

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a new file: it has its name when all of it is on disk. Rejects with a `DeviceFault`. */
export async function writeKept(file: string, format: string, json: string, signal: AbortSignal): Promise<KeptFile> {
  const body = Buffer.from(json);
  const bytes = Buffer.concat([Buffer.from(`${format} ${digest(body)}\n`), body]);
  if (bytes.byteLength > LIMITS.snapshotBytes) {
    throw new DeviceFault(
      'failed',
      `The state has ${bytes.byteLength} bytes; a snapshot has ${LIMITS.snapshotBytes} at most.`,
    );
  }
  const part = `${file}.part`;
  try {
    await written(await open(part, 'wx', 0o600), (handle) => handle.writeFile(bytes));
    if (signal.aborted) throw new DeviceFault('aborted', 'Keeping the state was ended.');
    await rename(part, file);
    await written(await open(dirname(file), 'r'), async () => undefined);
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof DeviceFault) throw error;
    // A full disk has room again later.
    throw new DeviceFault('unavailable', 'The state of the device could not be written to the disk.');
  }
  return { byteSize: bytes.byteLength, checksum: digest(bytes) };
}

async function written(handle: FileHandle, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads such a file. Rejects with a `damaged` fault that names the snapshot and says why it cannot be read. */
export async function readKept({ name, file, checksum }: SnapshotSource, format: string): Promise<unknown> {
  const refuse = (why: string): never => {
    throw damaged(name, why);
  };
  const bytes = await bytesOf(file).catch((error) => refuse(reasonOf(error)));
  if (digest(bytes) !== checksum) refuse('it is not what was written');
  const end = bytes.indexOf(0x0a);
  const body = bytes.subarray(end + 1);
  const [, found, sum] =
    /^(.{1,64}) ([0-9a-f]{64})$/.exec(bytes.subarray(0, Math.max(0, end)).toString('latin1')) ?? [];
  if (found !== format) refuse(`its format is not "${format}"`);
  if (sum !== digest(body)) refuse('its checksum is another one');
  return parsed(body) ?? refuse('it is no JSON');
}

/**
 * Whether such a file was removed. One whose folder is gone as well was moved with it, or is on a disk that is not there now: what it is
 * about must not be lost.
 */
export function isRemoved(file: string): boolean {
  return isMissing(file) && !isMissing(dirname(file));
}

function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

/** @param why without a full stop */
export const damaged = (name: string, why: string): DeviceFault =>
  new DeviceFault('damaged', `The snapshot "${name}" cannot be read: ${why}.`);

async function bytesOf(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > LIMITS.snapshotBytes) throw new RangeError('it is too long');
  const handle = await open(file, 'r');
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Without the path, which is nobody's business. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return error.message;
  const { code } = error as { readonly code?: unknown };
  return code === 'ENOENT' ? 'it is not there' : `the system says ${String(code)}`;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
