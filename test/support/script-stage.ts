import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScriptEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine for the scripts of the workflows: programs that note how they are called, before those of this system. */
export class ScriptStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'script-stage-'));
  readonly #environment: Readonly<Record<string, string>>;

  /** @param environment for every program on it, beside what each has */
  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#environment = environment;
  }

  /** A program that notes its arguments, then does what lines of bash say. */
  program(name: string, body = ''): this {
    const path = join(this.folder, name);
    writeFileSync(path, `#!/usr/bin/env bash\necho "${name} $*" >>"$CALLS"\n${body}\n`);
    chmodSync(path, 0o755);
    return this;
  }

  /** The calls of all programs, in their order. */
  get calls(): string[] {
    return this.#lines('calls');
  }

  /** Values that a script has passed to the next steps, by name. */
  get handedOn(): Record<string, string> {
    const pairs = [...this.#lines('env'), ...this.#lines('output')].map((line) => line.split(/=(.*)/s));
    return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
  }

  /** Runs a script of the workflows as a step does. */
  run(script: string, args: readonly string[] = [], more: Readonly<Record<string, string>> = {}): Promise<ScriptEnd> {
    const env = {
      PATH: `${this.folder}:/usr/bin:/bin`,
      HOME: this.folder,
      TMPDIR: this.folder,
      CALLS: join(this.folder, 'calls'),
      GITHUB_ENV: join(this.folder, 'env'),
      GITHUB_OUTPUT: join(this.folder, 'output'),
      POLL_SECONDS: '0.05',
      ...this.#environment,
      ...more,
    };
    const child = spawn(join('.github/scripts', script), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...said }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #lines(name: string): string[] {
    const path = join(this.folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }
}
