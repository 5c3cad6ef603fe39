import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tokens } from './oauth.ts';

type Services = Readonly<Record<string, Tokens>>;

/** Tokens of this user by service, in a file that only this user may read. A writer must hold the `FileLock`. */
export class TokenFile {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get path(): string {
    return join(this.#folder, 'tokens.json');
  }

  /** `undefined` where there are none for this service, or what is there is of no use. */
  async read(baseUrl: string): Promise<Tokens | undefined> {
    const tokens = (await this.#all())[baseUrl];
    const usable =
      typeof tokens?.accessToken === 'string' &&
      typeof tokens.refreshToken === 'string' &&
      Number.isFinite(Date.parse(tokens.expiresAt));
    return usable ? tokens : undefined;
  }

  async write(baseUrl: string, tokens: Tokens): Promise<void> {
    await this.#replace({ ...(await this.#all()), [baseUrl]: tokens });
  }

  async remove(baseUrl: string): Promise<void> {
    const { [baseUrl]: _gone, ...others } = await this.#all();
    if (Object.keys(others).length > 0) await this.#replace(others);
    else await rm(this.path, { force: true });
  }

  async #all(): Promise<Services> {
    try {
      const { services } = JSON.parse(await readFile(this.path, 'utf8')) as { readonly services?: Services };
      return typeof services === 'object' && services !== null ? services : {};
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // An unreadable file is an error; a damaged one counts as empty.
      if (code === undefined || code === 'ENOENT' || code === 'ENOTDIR') return {};
      throw error;
    }
  }

  /** Written aside, then renamed: a reader and a crash see the old tokens or the new ones. */
  async #replace(services: Services): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const aside = `${this.path}.${randomBytes(6).toString('hex')}`;
    try {
      const file = await open(aside, 'wx', 0o600);
      try {
        await file.writeFile(`${JSON.stringify({ services }, undefined, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(aside, this.path);
    } finally {
      await rm(aside, { force: true });
    }
  }
}
