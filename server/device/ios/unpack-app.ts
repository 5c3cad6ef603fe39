import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DeviceFault } from '../fault.ts';
import { makeOwnFolder } from '../process/own-folder.ts';
import { plainLine } from '../process/plain-line.ts';
import { runTool } from '../process/run-tool.ts';
import type { ToolEnvironment } from '../target.ts';

/** Packages have up to 2 GiB. */
const UNPACK_MS = 120_000;
/** Folders in which an archive of an iOS app has it. */
const PLACES = ['.', 'Payload'];

/**
 * Unpacks an app as macOS does it, with its links and modes, for as long as `use` takes.
 * @param ditto absolute path of the program
 * @param file a zipped `.app` or an `.ipa`
 */
export async function withUnpackedApp<T>(
  ditto: string,
  file: string,
  tools: ToolEnvironment,
  use: (app: string) => Promise<T>,
): Promise<T> {
  const folder = await makeOwnFolder('app');
  try {
    const { exitCode, stderr } = await runTool(ditto, ['-x', '-k', file, folder], { tools, timeoutMs: UNPACK_MS });
    if (exitCode !== 0) throw new DeviceFault('failed', `The app cannot be unpacked: ${plainLine(stderr)}`);
    return await use(await findApp(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findApp(folder: string): Promise<string> {
  const found: string[] = [];
  for (const place of PLACES) {
    const entries = await readdir(join(folder, place), { withFileTypes: true }).catch(() => []);
    // A link would lead out of the folder.
    const apps = entries.filter((entry) => entry.isDirectory() && entry.name.endsWith('.app'));
    found.push(...apps.map(({ name }) => join(folder, place, name)));
  }
  const [app, other] = found;
  if (app === undefined || other !== undefined)
    throw new DeviceFault('failed', 'The package does not have exactly one app.');
  const plist = await stat(join(app, 'Info.plist')).catch(() => undefined);
  if (!plist?.isFile()) throw new DeviceFault('failed', 'The app has no Info.plist.');
  return app;
}
