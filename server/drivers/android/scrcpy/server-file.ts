import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';

/** Which form of the protocol a server speaks: it changed with the major version. */
export type WireForm = 3 | 4;

/** scrcpy's server, as the operator has provided it. */
export interface ServerFile {
  readonly path: string;
  /** Told to the server when it is started, which ends at once when it is another one. */
  readonly version: string;
  readonly form: WireForm;
}

/** The server has about a tenth of a megabyte. */
const FILE_BYTES_MAX = 16_777_216;
/** It is an Android package, and so a ZIP file. */
const MAGIC = Buffer.from('PK\x03\x04', 'latin1');
const VERSION = /^\d{1,2}(?:\.\d{1,3}){1,2}$/;
const FILE_NAME = /^scrcpy-server-v(\d{1,2}(?:\.\d{1,3}){1,2})(?:\.jar)?$/;
const RELEASES = 'https://github.com/Genymobile/scrcpy/releases';

/**
 * The version of the server that the settings name, and with it the form of its protocol.
 * @param file the path of the file; the releases' own name of it tells the version
 * @param told what the operator says in place of the name
 * @returns why it cannot be used and what to do about it, where it cannot
 */
export function serverVersion(
  file: string,
  told: string | undefined,
): { readonly version: string; readonly form: WireForm } | { readonly why: string } {
  const named = FILE_NAME.exec(basename(file))?.[1];
  if (told !== undefined && !VERSION.test(told)) return { why: 'the version is none, such as 3.3.4 or 4.1' };
  if (told !== undefined && named !== undefined && told !== named) {
    return { why: `the name of the file says version ${named}, and the setting ${told}` };
  }
  const version = told ?? named;
  if (version === undefined) {
    return {
      why: 'its version is not known: keep the name that it has in the releases, such as scrcpy-server-v3.3.4, or set RUNCLOUD_SCRCPY_VERSION',
    };
  }
  const major = Number(version.split('.', 1)[0]);
  if (major === 3 || major === 4) return { version, form: major };
  return { why: `version ${version} speaks another protocol: take one of 3.x or 4.x from ${RELEASES}` };
}

/** scrcpy's server by the settings; `undefined` where they name none. Throws an `unavailable` fault with the remedy. */
export function findServerFile(tools: ToolEnvironment): ServerFile | undefined {
  const { RUNCLOUD_SCRCPY_SERVER: path, RUNCLOUD_SCRCPY_VERSION: told } = tools;
  if (path === undefined) {
    if (told === undefined) return undefined;
    throw unusable('RUNCLOUD_SCRCPY_VERSION is set, and RUNCLOUD_SCRCPY_SERVER is not');
  }
  if (!isAbsolute(path)) throw unusable('RUNCLOUD_SCRCPY_SERVER is not an absolute path');
  const found = serverVersion(path, told);
  if ('why' in found) throw unusable(`RUNCLOUD_SCRCPY_SERVER cannot be used: ${found.why}`);
  const why = whyNoServer(path);
  if (why === undefined) return { path, ...found };
  throw unusable(`RUNCLOUD_SCRCPY_SERVER ${why}: download scrcpy-server-v${found.version} from ${RELEASES}`);
}

function whyNoServer(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) return 'is far too large for a server';
    const file = openSync(path, 'r');
    try {
      const begin = Buffer.alloc(MAGIC.length);
      readSync(file, begin, 0, begin.length, 0);
      return begin.equals(MAGIC) ? undefined : 'is no server of scrcpy';
    } finally {
      closeSync(file);
    }
  } catch {
    return 'cannot be read';
  }
}

const unusable = (why: string) => new DeviceFault('unavailable', why);
