import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Code that no index names may still be about to be loaded, and a running process marks its own as used more often. */
const KEPT_MS = 3_600_000;
const INDEX = 'index.json';

/**
 * The folder with the code that `build` makes of a clone's sources. It is built at the first call, and again after a change
 * of any of its sources or of the place of the clone. Rejects with the system's error where nothing can be written.
 *
 * @param cache folder for what is built, and for the index that says of which sources
 * @param root the sources' names are relative to it
 * @param build resolves with the `outputs` (name and contents) and the names of the sources that they are made of
 */
export async function keptCode({ cache, root, build }) {
  return current(cache, root) ?? (await built(cache, root, build));
}

/** Says that the code is in use, so that nobody removes it while a part of it may still be loaded. */
export function markUsed(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch {
    // Somebody else's clone: it is not removed by us either.
  }
}

/** The folder, if its sources are what they were. */
function current(cache, root) {
  try {
    const { name, root: builtIn, sources } = JSON.parse(readFileSync(join(cache, INDEX), 'utf8'));
    const isSame = ([file, changedMs]) => statSync(join(root, file)).mtimeMs === changedMs;
    const folder = join(cache, name);
    return builtIn === root && sources.every(isSame) && statSync(folder).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}

async function built(cache, root, build) {
  const startedMs = Date.now();
  const { outputs, files } = await build();
  const sources = files.map((file) => [file, statSync(join(root, file)).mtimeMs]);
  const hash = createHash('sha256');
  for (const { name, contents } of outputs) hash.update(name).update('\0').update(contents).update('\0');
  const name = hash.digest('hex').slice(0, 16);
  const folder = join(cache, name);
  mkdirSync(cache, { recursive: true });
  writeWhole(folder, (aside) => {
    mkdirSync(aside);
    for (const output of outputs) writeFileSync(join(aside, output.name), output.contents);
  });
  // What changed while it was read is built again by the next call.
  if (sources.every(([, changedMs]) => changedMs < startedMs)) {
    writeWhole(join(cache, INDEX), (aside) => writeFileSync(aside, JSON.stringify({ name, root, sources })));
  }
  removeOthers(cache, name);
  return folder;
}

/** Written aside, then renamed: another process sees all of it or nothing. */
function writeWhole(path, write) {
  const aside = `${path}.${process.pid}`;
  write(aside);
  try {
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another process has built the same.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    markUsed(path);
  }
}

function removeOthers(cache, name) {
  for (const other of readdirSync(cache)) {
    if (other === name || other === INDEX) continue;
    const path = join(cache, other);
    const isOld = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > KEPT_MS;
    if (isOld) rmSync(path, { recursive: true, force: true });
  }
}
