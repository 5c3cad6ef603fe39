import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The folder of what a run leaves behind; it is made when the first file comes. */
export class OutputFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** Whether a name stays within the folder. */
  static holds(name: string): boolean {
    const within = relative('/folder', resolve('/folder', name));
    return within !== '' && within !== '..' && !within.startsWith(`..${sep}`);
  }

  below(name: string): OutputFolder {
    return new OutputFolder(join(this.path, name));
  }

  /** Writes a file; one that is there is replaced. Resolves with its path. */
  async write(name: string, data: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, data);
    return path;
  }
}
