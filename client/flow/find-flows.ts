import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FLOW = /\.ya?ml$/i;
/** Settings of a folder of flows, and no flow. */
const SETTINGS = /^config\.ya?ml$/i;

/** The flows that are named: files, and those directly in folders, by name. */
export async function findFlows(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) found.add(path);
    else
      for (const name of (await readdir(path)).sort())
        if (FLOW.test(name) && !SETTINGS.test(name)) found.add(join(path, name));
  }
  return [...found];
}

/** Whether a flow with these tags is to run. */
export const isTagged = (tags: readonly string[], include: readonly string[], exclude: readonly string[]): boolean =>
  (include.length === 0 || include.some((tag) => tags.includes(tag))) && !exclude.some((tag) => tags.includes(tag));
