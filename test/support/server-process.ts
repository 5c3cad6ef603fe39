import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settled } from './fake-clock.ts';
import { SOCKETS_ENVIRONMENT } from './listen.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUN = join(ROOT, 'server/run.mjs');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program of this project in a process of its own. */
export class Program {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #wakeUp: () => void = () => undefined;

  /** @param program a name of `server/code/programs.mjs`, or a TypeScript file of the tests from the root of the project */
  constructor(program: string, args: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
    const { PATH = '', HOME = '' } = process.env;
    const start = program.endsWith('.ts') ? ['--import', 'tsx', join(ROOT, program)] : [RUN, program];
    this.#child = spawn(process.execPath, [...start, ...args], {
      cwd: ROOT,
      env: { PATH, HOME, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#wakeUp();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        resolve({ code, signal });
        this.#wakeUp();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /**
   * Resolves with the address of the ready line, empty for a host of a fleet, when what the process said on its standard error before it has come too;
   * rejects, with its last words, when the process ends instead.
   */
  async ready(): Promise<string> {
    const url = await this.#readyLine();
    await saidBefore();
    return url;
  }

  #readyLine(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#wakeUp = () => {
        const ready = /^RunCloud (?:listening on (\S+)|host \S+ serves its fleet)\n/m.exec(this.stdout);
        if (ready) resolve(ready[1] ?? '');
        else if (!this.running) reject(new Error(`the server ended: ${this.stderr}`));
      };
      this.#wakeUp();
    });
  }
}

/**
 * Resolves when the event loop has read both pipes of a child. Text that the child wrote to one pipe before it wrote to the
 * other has arrived, but the other pipe may be read first.
 */
export async function saidBefore(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await settled();
}

/** Starts the service on a free port, with nothing else of this process's environment; `undefined` takes a variable away. */
export function serverProgram(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Program {
  return new Program('main', [], {
    RUNCLOUD_PORT: '0',
    ...SOCKETS_ENVIRONMENT,
    RUNCLOUD_DATA_DIR: dataDir,
    RUNCLOUD_CHECK_ANSWERS: '1',
    ...environment,
  });
}

/** A folder for one test's data, and how to remove it. */
export function temporaryDataDir(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
