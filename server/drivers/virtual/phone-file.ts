import type { Platform } from '@runcloud/protocol';
import type { AppPackage } from '../../device/app-package.ts';
import type { KeptFile, SnapshotSource } from '../../device/driver.ts';
import type { SavedPhone } from '../../phone/saved-state.ts';
import { damaged, readKept, writeKept } from '../kept-file.ts';

const FORMAT = 'runcloud virtual phone 1';

/** The state of a virtual phone, as the file of a snapshot has it. */
export interface KeptPhone {
  readonly platform: Platform;
  readonly model: string;
  /** The installed apps. */
  readonly apps: readonly AppPackage[];
  readonly phone: SavedPhone;
}

/** Icons are bytes, which JSON has not. */
const toJson = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;

/** Writes a new file: it has its name when all of it is on disk. Rejects with a `DeviceFault`. */
export async function writePhone(file: string, kept: KeptPhone, signal: AbortSignal): Promise<KeptFile> {
  // `Buffer` has a `toJSON` of its own, which comes before `toJson`.
  const plain = kept.apps.map((app) => (app.icon ? { ...app, icon: new Uint8Array(app.icon) } : app));
  return writeKept(file, FORMAT, JSON.stringify({ ...kept, apps: plain }, toJson), signal);
}

/** Reads such a file of a phone like this one. Rejects with a `damaged` fault that names the snapshot and says why it cannot be read. */
export async function readPhone(
  source: SnapshotSource,
  wanted: Pick<KeptPhone, 'platform' | 'model'>,
): Promise<KeptPhone> {
  const value = await readKept(source, FORMAT);
  const { keptPhoneFault } = await import('./kept-phone-check.ts');
  const fault = keptPhoneFault(value);
  if (fault) throw damaged(source.name, `"${fault.path}" ${fault.message}`);
  const kept = value as KeptPhone;
  if (kept.platform !== wanted.platform || kept.model !== wanted.model) {
    const what = `it is of a ${kept.model} for ${kept.platform}`;
    throw damaged(source.name, `${what}, and this is a ${wanted.model} for ${wanted.platform}`);
  }
  return { ...kept, apps: kept.apps.map(withIcon) };
}

function withIcon(app: AppPackage): AppPackage {
  const { icon } = app as { readonly icon?: unknown } as { readonly icon?: { readonly base64: string } };
  return icon ? { ...app, icon: new Uint8Array(Buffer.from(icon.base64, 'base64')) } : app;
}
