import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { makeOwnFolder } from '../process/own-folder.ts';
import { plainLine } from '../process/plain-line.ts';
import { runTool } from '../process/run-tool.ts';

/** Packages have up to 2 GiB. */
const UNPACK_MS = 120_000;
const PROGRAM = fileURLToPath(new URL('../../archive/unpack-boot.mjs', import.meta.url));

/**
 * Unpacks an app, with its links and executable bits, for as long as `use` takes. A program of our own does it, by the same
 * directory that was checked when the app was uploaded: what others make of an archive is theirs to know.
 * @param file a zipped `.app` or an `.ipa`
 */
export async function withUnpackedApp<T>(
  file: string,
  tools: ToolEnvironment,
  use: (app: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const folder = await makeOwnFolder('app');
  try {
    const { exitCode, stdout, stderr } = await runTool(process.execPath, [PROGRAM, file, folder], {
      tools,
      timeoutMs: UNPACK_MS,
      ...(signal ? { signal } : {}),
    });
    if (exitCode !== 0) throw new DeviceFault('failed', `The app cannot be unpacked: ${plainLine(stderr)}`);
    return await use(join(folder, stdout.toString()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
