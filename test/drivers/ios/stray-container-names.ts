import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filePathFault } from '@runcloud/protocol/terms';
import { ContainerFiles } from '../../../server/drivers/ios/container-files.ts';
import { randomArguments } from '../android/guest/quoted-arguments.ts';

const { signal } = new AbortController();
const KEPT_MAX = 1_000;

/**
 * Writes, lists, reads and deletes files with random paths in a real folder; tells each that was not there byte for byte, or left anything.
 */
export async function strayContainerNames(count: number, random: () => number, folder: string) {
  const [root, here, into] = ['root', 'here', 'into'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(root);
  writeFileSync(into, '');
  const files = await ContainerFiles.at(root);
  const at = (path: string) => ({ root: 'shared', path });
  const stray: string[] = [];
  let [taken, refused] = [0, 0];
  for (const path of randomArguments(count, random)) {
    if (filePathFault(path)) {
      refused++;
      continue;
    }
    taken++;
    const names = path.split('/');
    const above = names.map((_, index) => names.slice(0, index).join('/'));
    writeFileSync(here, path);
    writeFileSync(into, '');
    let fits = true;
    await files.push(at(path), here, signal);
    for (const [index, name] of names.entries()) {
      const { entries } = await files.list(at(above[index] ?? ''));
      fits &&= entries.length === 1 && entries[0]?.name === name;
    }
    await files.pull(at(path), into, signal);
    fits &&= readFileSync(into, 'utf8') === path;
    await files.remove(at(path));
    for (const one of above.slice(1).reverse()) await files.remove(at(one));
    fits &&= (await files.list(at(''))).entries.length === 0;
    if (!fits && stray.length < KEPT_MAX) stray.push(path);
  }
  return { stray, taken, refused };
}
