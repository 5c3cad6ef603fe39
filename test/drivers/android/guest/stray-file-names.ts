import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filePathFault } from '@runcloud/protocol/terms';
import { GuestFiles } from '../../../../server/drivers/android/guest/guest-files.ts';
import { PlainShell } from '../../../support/android/plain-shell.ts';
import { randomArguments } from './quoted-arguments.ts';

const APP = 'com.a';
const BEFORE = ['run-as', APP];
const KEPT_MAX = 1_000;
const { signal } = new AbortController();

/**
 * Lists, reads, writes and deletes files with random paths by the driver's own commands, through a real shell; tells each path of which a
 * program got anything else, and what was run besides.
 */
export async function strayFileNames(
  count: number,
  random: () => number,
): Promise<{ readonly stray: readonly string[]; readonly taken: number; readonly refused: number }> {
  let kind = '81a4';
  const shell = new PlainShell(([, , name, , , ...paths]) => {
    if (name === 'find') return './x/inner\0';
    // All that is above the last name is a folder.
    const last = paths.at(-1);
    return name === 'stat'
      ? paths.map((path) => `${path === last ? kind : '41f9'} 3 1764000000 ${path}\n`).join('')
      : '';
  });
  const files = new GuestFiles(shell.asGuestShell, { isBrought: async () => true });
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-names-'));
  const [here, into] = [join(folder, 'here'), join(folder, 'into')];
  for (const file of [here, into]) writeFileSync(file, 'abc');
  const stray: string[] = [];
  let [taken, refused] = [0, 0];
  try {
    for (const path of randomArguments(count, random)) {
      if (filePathFault(path)) {
        refused++;
        continue;
      }
      taken++;
      const place = { root: `app:${APP}`, path };
      shell.got.length = 0;
      kind = '41f9';
      await files.list(place, signal);
      kind = '81a4';
      await files.pull(place, into, signal);
      await files.push(place, here, signal);
      await files.remove(place, signal);
      if (!isAsMeant(shell.got, path) && stray.length < KEPT_MAX) stray.push(path);
    }
  } finally {
    shell.close();
    rmSync(folder, { recursive: true });
  }
  return { stray, taken, refused };
}

const STAT = ['stat', '-c', '%f %s %Y %n'];

/** Every word of every command, in order. */
function isAsMeant(got: readonly (readonly string[])[], path: string): boolean {
  const names = path.split('/');
  const along = names.map((_, index) => `./${names.slice(0, index + 1).join('/')}`);
  const at = `./${path}`;
  const look = [...STAT, ...along];
  const aside = got[7]?.at(-1) ?? '';
  const expected = [
    look,
    ['find', at, '-mindepth', '1', '-maxdepth', '1', '-print0'],
    [...STAT, `${at}/inner`],
    look,
    ['cat', at],
    look,
    ['dd', 'bs=65536', `of=${aside}`],
    [...STAT, aside],
    ['mv', '-f', aside, at],
    [...STAT, at],
    look,
    ['rm', '-f', at],
  ].map((words) => [...BEFORE, ...words]);
  if (!/^\.\/\.runcloud-[A-Za-z0-9]+\.part$/.test(aside) || got.length !== expected.length) return false;
  return expected.every(
    (words, index) => words.length === got[index]?.length && words.every((word, place) => word === got[index]?.[place]),
  );
}
