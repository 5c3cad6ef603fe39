import { posix } from 'node:path';
import type { DeviceFiles } from './adb-files.ts';
import type { CommandAnswer } from './guest-commands.ts';

type Kind = 'file' | 'folder' | 'link';

const MODES: Readonly<Record<Kind, string>> = { file: '81a4', folder: '41f9', link: 'a1ff' };
const missing = (command: string, path: string): CommandAnswer => ({
  code: 1,
  err: `${command}: ${path}: No such file or directory\n`,
});

/** The file system of a device as toybox's commands tell and change it, of what they are asked here. */
export class GuestFileSystem {
  readonly files: DeviceFiles = new Map();
  readonly folders = new Set(['/', '/sdcard', '/data', '/data/data']);
  /** Where symbolic links lead. */
  readonly links = new Map<string, string>();
  /** Packages that cannot be debugged. */
  readonly sealed = new Set<string>();
  /** Commands with these names fail as on a full disk. */
  readonly failing = new Set<string>();

  /** Puts a file, with the folders of its path. */
  put(path: string, bytes: Buffer): void {
    const at = this.#real(path);
    this.#make(posix.dirname(at));
    this.files.set(at, bytes);
  }

  /** A new package has a folder of its own, and one that is removed takes it along. */
  installed(name: string): void {
    this.#make(`/data/data/${name}/cache`);
  }

  removed(name: string): void {
    this.#removeAll(`/data/data/${name}`);
  }

  /** `run-as`, which begins in the folder of the package. */
  runAs([name = '', ...words]: readonly string[], stdin: Uint8Array, packages: ReadonlySet<string>): CommandAnswer {
    if (!packages.has(name)) return { code: 1, err: `run-as: unknown package: ${name}\n` };
    if (this.sealed.has(name)) return { code: 1, err: `run-as: package not debuggable: ${name}\n` };
    return (
      this.answer(words, stdin, `/data/data/${name}`) ?? { code: 127, err: `run-as: exec failed for ${words[0]}\n` }
    );
  }

  /** `undefined` for a command that is none of these. */
  answer([name = '', ...words]: readonly string[], stdin: Uint8Array, cwd = '/'): CommandAnswer | undefined {
    if (this.failing.has(name)) return { code: 1, err: `${name}: No space left on device\n` };
    const paths = words.filter((word) => !word.startsWith('-')).map((word) => posix.resolve(cwd, word));
    const [first = '', second = ''] = paths;
    switch (name) {
      case 'stat':
        return this.#stat(words, cwd);
      case 'find':
        return this.#find(words[0] ?? '', cwd);
      case 'ls':
        return this.#kindOf(first) ? {} : missing(name, first);
      case 'cat':
        return this.files.has(this.#real(first))
          ? { out: this.files.get(this.#real(first)) as Buffer }
          : missing(name, first);
      case 'mkdir':
        for (const path of paths) {
          if (this.#kindOf(path) === 'file') return { code: 1, err: `mkdir: '${path}': File exists\n` };
          this.#make(this.#real(path));
        }
        return {};
      case 'rmdir':
        return this.#removeFolder(this.#real(first));
      case 'rm':
        for (const path of paths) this.#remove(path, words.includes('-rf'));
        return {};
      case 'cp':
      case 'mv':
        return this.#move(name, first, second);
      case 'dd': {
        const of = words.find((word) => word.startsWith('of='))?.slice(3) ?? '';
        this.put(posix.resolve(cwd, of), Buffer.from(stdin));
        return { err: `${stdin.length} bytes copied\n` };
      }
      default:
        return undefined;
    }
  }

  /** Follows the links above the last name. */
  #real(path: string): string {
    let at = '/';
    const names = path.split('/').filter((name) => name !== '');
    for (const [index, name] of names.entries()) {
      at = posix.join(at, name);
      const target = index < names.length - 1 ? this.links.get(at) : undefined;
      if (target !== undefined) at = target;
    }
    return at;
  }

  #kindOf(path: string): Kind | undefined {
    const at = this.#real(path);
    if (this.links.has(at)) return 'link';
    if (this.files.has(at)) return 'file';
    if (this.folders.has(at)) return 'folder';
    return [...this.files.keys()].some((file) => file.startsWith(`${at}/`)) ? 'folder' : undefined;
  }

  #make(path: string): void {
    for (let at = path; at !== '/'; at = posix.dirname(at)) this.folders.add(at);
  }

  #stat(words: readonly string[], cwd: string): CommandAnswer {
    if (words[0] !== '-c' || words[1] !== '%f %s %Y %n') return { code: 1, err: 'stat: see --help\n' };
    let out = '';
    let err = '';
    for (const word of words.slice(2)) {
      const path = posix.resolve(cwd, word);
      const kind = this.#kindOf(path);
      if (!kind) err += `stat: '${word}': No such file or directory\n`;
      else out += `${MODES[kind]} ${this.files.get(this.#real(path))?.length ?? 4_096} 1764000000 ${word}\n`;
    }
    return { code: err === '' ? 0 : 1, out, err };
  }

  #find(start: string, cwd: string): CommandAnswer {
    const top = this.#real(posix.resolve(cwd, start));
    if (this.#kindOf(top) !== 'folder') return missing('find', start);
    const names = new Set<string>();
    for (const path of [...this.files.keys(), ...this.folders, ...this.links.keys()]) {
      const [, below] = path.startsWith(`${top}/`) ? ['', path.slice(top.length + 1)] : [];
      if (below) names.add(below.split('/')[0] ?? '');
    }
    return { out: [...names].map((name) => `${start.replace(/\/$/, '')}/${name}\0`).join('') };
  }

  #removeFolder(path: string): CommandAnswer {
    if (this.#kindOf(path) !== 'folder') return missing('rmdir', path);
    const isFull = [...this.files.keys(), ...this.folders, ...this.links.keys()].some((other) =>
      other.startsWith(`${path}/`),
    );
    if (isFull) return { code: 1, err: `rmdir: '${path}': Directory not empty\n` };
    this.folders.delete(path);
    return {};
  }

  #remove(path: string, withAllBelow: boolean): void {
    const at = this.#real(path);
    this.files.delete(at);
    this.links.delete(at);
    if (withAllBelow) this.#removeAll(at);
  }

  #removeAll(path: string): void {
    for (const all of [this.files, this.folders, this.links]) {
      for (const other of [...all.keys()]) if (other === path || other.startsWith(`${path}/`)) all.delete(other);
    }
  }

  #move(command: 'cp' | 'mv', from: string, to: string): CommandAnswer {
    const bytes = this.files.get(this.#real(from));
    if (!bytes) return missing(command, from);
    if (this.#kindOf(posix.dirname(to)) !== 'folder') return missing(command, to);
    if (command === 'mv') this.files.delete(this.#real(from));
    // Into a folder, if it is one.
    this.files.set(
      this.#kindOf(to) === 'folder' ? posix.join(this.#real(to), posix.basename(from)) : this.#real(to),
      bytes,
    );
    return {};
  }
}
