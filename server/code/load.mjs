import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { keptCode, markUsed } from '../../client/build/kept-code.mjs';
import { PROGRAMS } from './programs.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, 'server', 'node_modules', '.cache', 'runcloud');
/** A thread in which this is true runs the sources themselves, so that others can change what they export. */
const RUNS_SOURCES = Symbol.for('runcloud.sources');
const MARK_MS = 600_000;

/**
 * Loads a program or a thread of the service, and resolves with what it exports. Compiling some 400 sources one by one takes
 * seconds of a processor at each start, so they are bundled once, and again after a change of any of them. Where nothing can
 * be kept, the sources run as they are.
 *
 * @param program a name of `PROGRAMS`
 */
export async function load(program) {
  const folder = globalThis[RUNS_SOURCES] ? undefined : await code();
  if (folder === undefined) {
    // Node.js 20 hands the loader of the main thread to no worker, so each one asks for TypeScript itself.
    const { register } = await import('tsx/esm/api');
    register();
    return import(pathToFileURL(join(ROOT, 'server', PROGRAMS[program])).href);
  }
  process.setSourceMapsEnabled(true);
  // Parts are loaded when they are first used, and other processes remove what seems unused.
  if (isMainThread) setInterval(markUsed, MARK_MS, folder).unref();
  return import(pathToFileURL(join(folder, `${program}.js`)).href);
}

async function code() {
  try {
    const build = async () => (await import('./bundle.mjs')).bundleService(ROOT);
    return await keptCode({ cache: CACHE, root: ROOT, build });
  } catch (error) {
    if (error.syscall === undefined) throw error;
    return undefined;
  }
}
