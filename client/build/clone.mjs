import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CLIENT = join(import.meta.dirname, '..');
const CACHE = join(CLIENT, 'node_modules', '.cache', 'runcloud');
/** Which bundle is in use, and of what it was made. */
const INDEX = join(CACHE, 'index.json');
/** A bundle that is no longer in use may still be about to be loaded by another process. */
const KEPT_MS = 60_000;

/**
 * The address of the command line's code in a clone. Loading its sources one by one takes longer than a second, so they are
 * bundled at the first call, and again after a change of any of them.
 */
export async function commandLine() {
  const bundle = current() ?? (await bundled());
  return pathToFileURL(bundle).href;
}

/** The bundle, if all its sources are what they were. */
function current() {
  try {
    const { bundle, sources } = JSON.parse(readFileSync(INDEX, 'utf8'));
    const isSame = ([name, changedMs]) => statSync(join(CLIENT, name)).mtimeMs === changedMs;
    return sources.every(isSame) && statSync(bundle).isFile() ? bundle : undefined;
  } catch {
    return undefined;
  }
}

async function bundled() {
  const startedMs = Date.now();
  const { register, tsImport } = await import('tsx/esm/api');
  const { bundleCommandLine } = await tsImport('./bundles.ts', import.meta.url);
  const { code, files } = await bundleCommandLine();
  const sources = files.map((name) => [name, statSync(join(CLIENT, name)).mtimeMs]);
  const bundle = join(CACHE, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.js`);
  try {
    mkdirSync(CACHE, { recursive: true });
    replace(bundle, code);
    // What changed while it was read is bundled again by the next call.
    if (sources.every(([, changedMs]) => changedMs < startedMs)) replace(INDEX, JSON.stringify({ bundle, sources }));
    removeOthers(bundle);
    return bundle;
  } catch (error) {
    // Where nothing can be kept, the sources run as they are.
    if (error.syscall === undefined) throw error;
    register();
    return join(CLIENT, 'cli', 'main.ts');
  }
}

/** Written aside, then renamed: another process sees the file whole or not at all. */
function replace(path, text) {
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}

function removeOthers(bundle) {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (path === bundle || path === INDEX) continue;
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS) rmSync(path, { force: true });
  }
}
