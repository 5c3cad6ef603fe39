import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = createRequire(import.meta.url).resolve('esbuild/bin/esbuild');
// There it is a script and not the program itself.
const COMMAND = process.platform === 'win32' ? [process.execPath, PROGRAM] : [PROGRAM];

const standIn = (name: string): string => join(ROOT, 'client/build/typebox', name);

/**
 * The page may not make code out of text (its Content-Security-Policy), and a page that only names the contract's actions
 * is not to load the schemas' package, so these parts are replaced, as in the published package.
 */
const REPLACED: Readonly<Record<string, string>> = {
  msgpackr: 'msgpackr/index-no-eval',
  '@sinclair/typebox/compiler': standIn('compiler.ts'),
  '@sinclair/typebox': standIn('schema.ts'),
};

const OPTIONS = [
  '--bundle',
  '--minify',
  '--format=esm',
  '--platform=browser',
  '--target=es2022',
  '--log-level=error',
  ...Object.entries(REPLACED).map(([part, replacement]) => `--alias:${part}=${replacement}`),
];

/** A bundle takes a tenth of a second; one that takes this long never comes. */
const BUNDLE_MS_MAX = 30_000;
const BUNDLE_BYTES_MAX = 16 * 1_048_576;

/**
 * Bundles a script or a style sheet for browsers, in memory. esbuild runs as a program of its own, on one core and with
 * low priority: loading its library here, or letting it have all cores, would hold taps up. Rejects with what it says on
 * its standard error, which names files and is for the log alone.
 *
 * @param entry path of the source file, absolute or from the root of the project
 */
export function bundleForBrowsers(entry: string): Promise<Uint8Array> {
  const [program = '', ...first] = COMMAND;
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...first, entry, ...OPTIONS],
      {
        cwd: ROOT,
        // Nothing of the server's own settings, the API key above all.
        env: { PATH: process.env.PATH, GOMAXPROCS: '1' },
        encoding: 'buffer',
        timeout: BUNDLE_MS_MAX,
        maxBuffer: BUNDLE_BYTES_MAX,
      },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${entry} cannot be bundled: ${stderr.toString() || error.message}`));
        else resolve(stdout);
      },
    );
    yieldTo(child.pid);
  });
}

function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or this system does not let us: then it runs as any other.
  }
}
