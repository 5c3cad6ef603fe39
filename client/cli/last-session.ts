import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../sdk/types.ts';

/** The session that commands are for where none is named. No key and no signed address is kept. */
export interface KnownSession {
  readonly id: string;
  readonly platform: Platform;
}

export class LastSession {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `undefined` where there is none, or what is there is of no use. */
  async read(): Promise<KnownSession | undefined> {
    try {
      const { id, platform } = JSON.parse(await readFile(this.#file, 'utf8')) as Partial<KnownSession>;
      const usable = typeof id === 'string' && id !== '' && (platform === 'ios' || platform === 'android');
      return usable ? { id, platform } : undefined;
    } catch {
      return undefined;
    }
  }

  async write({ id, platform }: KnownSession): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Another command may read it at this moment.
    const aside = `${this.#file}.${process.pid}`;
    await writeFile(aside, `${JSON.stringify({ id, platform })}\n`, { mode: 0o600 });
    await rename(aside, this.#file);
  }

  /** Forgets a session, unless another one came after it. */
  async forget(id: string): Promise<void> {
    if ((await this.read())?.id === id) await rm(this.#file, { force: true });
  }

  get #file(): string {
    return join(this.#folder, 'last-session.json');
  }
}
