import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Certificate } from '../../server/certify/certificate.ts';
import { Program } from './server-process.ts';

/** `certify` in a process of its own, with leave. */
export class CertifyRun extends Program {
  readonly #folder: string;
  readonly #temporary: string;

  /** @param folder where `out` with the certificate comes to be */
  constructor(folder: string, args: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}) {
    const { TMPDIR = tmpdir() } = environment;
    super('admin', ['certify', ...args, '--yes', '--out', `${folder}/out`], { ...environment, TMPDIR });
    this.#folder = folder;
    this.#temporary = TMPDIR;
  }

  /** Temporary folders that it has made and that are still there. */
  get foldersLeft(): readonly string[] {
    return readdirSync(this.#temporary).filter((name) => name.startsWith(`runcloud-certify-${this.pid}-`));
  }

  get certificate(): Certificate {
    return JSON.parse(readFileSync(`${this.#folder}/out/certificate.json`, 'utf8'));
  }

  /** What became of each row, by its id, in the order in which they were tried. */
  get outcomes(): readonly (readonly [id: string, outcome: string])[] {
    return this.certificate.rows.map(({ id, outcome }) => [id, outcome] as const);
  }

  /** Resolves when it has printed a line of its table. Rejects, with what it said, if it ends before. */
  async hasTried(title: string): Promise<void> {
    while (this.running && !this.stdout.includes(title)) await sleep(20);
    if (!this.stdout.includes(title)) throw new Error(`it ended: ${this.stdout}${this.stderr}`);
  }
}
