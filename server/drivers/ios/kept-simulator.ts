import type { IosApp } from '../../device/app-package.ts';
import type { KeptFile, SnapshotSource } from '../../device/driver.ts';
import { damaged, readKept, writeKept } from '../kept-file.ts';
import { isFields } from './json-fields.ts';
import { isUdid, type Udid } from './udid.ts';

const FORMAT = 'runcloud simulator 1';

/** A simulator that is off, as the file of a snapshot has it. */
export interface KeptSimulator {
  readonly udid: Udid;
  readonly model: string;
  readonly osVersion: string;
  /** Those that sessions have brought, without their icons. */
  readonly apps: readonly IosApp[];
}

/** Writes a new file: it has its name when all of it is on disk. Rejects with a `DeviceFault`. */
export function writeSimulator(file: string, kept: KeptSimulator, signal: AbortSignal): Promise<KeptFile> {
  const apps = kept.apps.map(({ icon: _icon, ...app }) => app);
  return writeKept(file, FORMAT, JSON.stringify({ ...kept, apps }), signal);
}

/** Reads such a file. Rejects with a `damaged` fault that names the snapshot and says why it cannot be read. */
export async function readSimulator(source: SnapshotSource): Promise<KeptSimulator> {
  const value = await readKept(source, FORMAT);
  if (isFields(value) && typeof value.udid === 'string' && isUdid(value.udid)) {
    const { udid, model, osVersion, apps } = value;
    if (typeof model === 'string' && typeof osVersion === 'string' && Array.isArray(apps) && apps.every(isApp)) {
      return { udid, model, osVersion, apps };
    }
  }
  throw damaged(source.name, 'it tells of no simulator');
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry: unknown) => typeof entry === 'string');

const isApp = (app: unknown): app is IosApp =>
  isFields(app) &&
  app.platform === 'ios' &&
  [app.identifier, app.name, app.version].every((field) => typeof field === 'string') &&
  isTexts(app.urlSchemes) &&
  isTexts(app.linkedHosts);
