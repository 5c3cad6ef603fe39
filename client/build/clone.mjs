import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keptCode } from './kept-code.mjs';

const CLIENT = join(import.meta.dirname, '..');
const BUNDLE = 'cli.js';

/**
 * The address of the command line's code in a clone. Loading its sources one by one takes longer than a second, so they are
 * bundled at the first call, and again after a change of any of them.
 */
export async function commandLine() {
  const cache = join(CLIENT, 'node_modules', '.cache', 'runcloud');
  try {
    return pathToFileURL(join(await keptCode({ cache, root: CLIENT, build }), BUNDLE)).href;
  } catch (error) {
    // Where nothing can be kept, the sources run as they are.
    if (error.syscall === undefined) throw error;
    const { register } = await import('tsx/esm/api');
    register();
    return pathToFileURL(join(CLIENT, 'cli', 'main.ts')).href;
  }
}

async function build() {
  const { tsImport } = await import('tsx/esm/api');
  const { bundleCommandLine } = await tsImport('./bundles.ts', import.meta.url);
  const { code, files } = await bundleCommandLine();
  return { outputs: [{ name: BUNDLE, contents: code }], files };
}
