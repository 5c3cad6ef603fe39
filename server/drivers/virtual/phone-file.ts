import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Platform } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { AppPackage } from '../../device/app-package.ts';
import type { KeptFile, SnapshotSource } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { SavedPhone } from '../../phone/saved-state.ts';

/**
 * The state of a virtual phone as a file: a line with what it is, and JSON, whose checksum the line has. Another meaning of either
 * needs another `FORMAT`.
 */
const FORMAT = 'runcloud virtual phone 1';

/** What a file holds. */
export interface KeptPhone {
  readonly platform: Platform;
  readonly model: string;
  /** The installed apps. */
  readonly apps: readonly AppPackage[];
  readonly phone: SavedPhone;
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Icons are bytes, which JSON has not. */
const toJson = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;

/** Writes a new file: it has its name when all of it is on disk. */
export async function writePhone(file: string, kept: KeptPhone, signal: AbortSignal): Promise<KeptFile> {
  // `Buffer` has a `toJSON` of its own, which comes before `toJson`.
  const plain = kept.apps.map((app) => (app.icon ? { ...app, icon: new Uint8Array(app.icon) } : app));
  const body = Buffer.from(JSON.stringify({ ...kept, apps: plain }, toJson));
  const bytes = Buffer.concat([Buffer.from(`${FORMAT} ${digest(body)}\n`), body]);
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

/** Reads such a file of a phone like this one. Throws a `damaged` fault that names the snapshot and says why it cannot be read. */
export async function readPhone(
  { name, file, checksum }: SnapshotSource,
  wanted: Pick<KeptPhone, 'platform' | 'model'>,
): Promise<KeptPhone> {
  const refuse = (why: string): never => {
    throw new DeviceFault('damaged', `The snapshot "${name}" cannot be read: ${why}.`);
  };
  const bytes = await bytesOf(file).catch((error) => refuse(reasonOf(error)));
  if (digest(bytes) !== checksum) refuse('it is not what was written');
  const end = bytes.indexOf(0x0a);
  const body = bytes.subarray(end + 1);
  const [, format, sum] =
    /^(.{1,64}) ([0-9a-f]{64})$/.exec(bytes.subarray(0, Math.max(0, end)).toString('latin1')) ?? [];
  if (format !== FORMAT) refuse(`its format is not "${FORMAT}"`);
  if (sum !== digest(body)) refuse('its checksum is another one');
  const value = parsed(body) ?? refuse('it is no JSON');
  const { keptPhoneFault } = await import('./kept-phone-check.ts');
  const fault = keptPhoneFault(value);
  if (fault) refuse(`"${fault.path}" ${fault.message}`);
  const kept = value as KeptPhone;
  if (kept.platform !== wanted.platform || kept.model !== wanted.model) {
    refuse(`it is of a ${kept.model} for ${kept.platform}, and this is a ${wanted.model} for ${wanted.platform}`);
  }
  return { ...kept, apps: kept.apps.map(withIcon) };
}

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

function withIcon(app: AppPackage): AppPackage {
  const { icon } = app as { readonly icon?: unknown } as { readonly icon?: { readonly base64: string } };
  return icon ? { ...app, icon: new Uint8Array(Buffer.from(icon.base64, 'base64')) } : app;
}
