import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutputOptions } from '../cli.ts';
import { fileError } from '../failure.ts';
import { type Define, leaf } from '../leaf.ts';
import { OutputFile } from '../output-file.ts';
import { done } from '../terminal/line.ts';

const SKILL = join('skills', 'runcloud', 'SKILL.md');

interface Options extends OutputOptions {
  readonly install?: string;
  readonly force?: true;
}

export const define: Define = (command, cli) =>
  leaf(command, ['skill', 'skill --install .agents/skills'])
    .option('--install <folder>', 'write it into this folder of skills')
    .option('-f, --force', 'overwrite an existing file')
    .action(async (options: Options) => {
      const { install, force, json } = options;
      const text = await readFile(skillFile(), 'utf8');
      if (install === undefined) return json ? cli.out.json({ skill: text }) : cli.out.own(text);
      // A skill's folder has its name.
      const path = join(install, 'runcloud', 'SKILL.md');
      await mkdir(dirname(path), { recursive: true }).catch(() => {
        throw fileError(`"${dirname(path)}" cannot be made.`);
      });
      const file = await OutputFile.at(path, { force, signal: cli.io.interrupt });
      await file.write([Buffer.from(text)]);
      cli.print(options, { path: file.path }, [file.path], () => [done(`${file.path} is written`)]);
    });

/** In the package and in a clone it stands above the code, which may be one of several builds. */
function skillFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, SKILL)) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, SKILL);
}
