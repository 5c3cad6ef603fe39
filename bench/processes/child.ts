import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pinned, yielding } from './pin.ts';
import type { Reply } from './reply.ts';

/** The folder of the project, in which children run. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Loaded before each child's own code. It ends the child when the channel to the bench closes, since a bench that was killed
 * cannot end its children. It unreferences the channel, which must not keep a child alive. It is a data URL of JavaScript,
 * because threads load it again without TypeScript.
 */
const END_WITH_BENCH = `data:text/javascript,if(process.channel){process.on('disconnect',()=>process.exit());process.channel.unref()}`;
/** Those that have not ended: killed as the bench exits. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const EXIT_GRACE_MS = 3_000;
const STDERR_KEPT = 4_000;

export interface ChildOptions {
  /** Name in messages. */
  readonly name: string;
  /** TypeScript or JavaScript file, relative to the project. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Another checkout of the project that contains the file. */
  readonly root?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** The core to which all its threads are bound, if any. */
  readonly core?: number | undefined;
  /** Whether it gets only idle processor time, as if it ran on a machine of its own. */
  readonly yields?: boolean | undefined;
  /** URLs of modules that are loaded before `file`, also in its threads. */
  readonly preloads?: readonly string[];
}

/** A child process of the bench. It never outlives the bench, in whatever way that ends. */
export class Child {
  readonly process: ChildProcess;
  readonly #name: string;
  readonly #exited: Promise<void>;
  #stderr = '';

  constructor({ name, file, args: own = [], root = ROOT, env, core, yields, preloads = [] }: ChildOptions) {
    this.#name = name;
    const imports = ['tsx', END_WITH_BENCH, ...preloads];
    const args = [...imports.flatMap((each) => ['--import', each]), file, ...own];
    const plain = { file: process.execPath, args };
    const command = pinned(yields ? yielding(plain) : plain, core);
    this.process = spawn(command.file, command.args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    running.add(this.process);
    this.#exited = new Promise<void>((resolve) => {
      this.process.once('exit', () => resolve());
      this.process.once('error', () => resolve());
    }).then(() => void running.delete(this.process));
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** The end of its standard error. */
  lastWords(): string {
    return this.#stderr.trim();
  }

  /** Resolves once it has printed something; rejects if it ends before. */
  async spoken(): Promise<void> {
    const first = new Promise((resolve) => this.process.stdout?.once('data', resolve));
    await Promise.race([first, this.gone()]);
  }

  /** Rejects when the process has ended, with the end of its standard error. */
  async gone(): Promise<never> {
    await this.#exited;
    throw new Error(`${this.#name} ended by itself:\n${this.lastWords()}`);
  }

  /** Gives one order at a time and waits for its figures. Throws if it fails, is late or the process has ended. */
  async order<Figures>(order: object, limitMs: number): Promise<Figures> {
    const child = this.process;
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<Reply<Figures>>((resolve, reject) => {
      child.once('message', (reply: Reply<Figures>) => resolve(reply));
      timer = setTimeout(() => reject(new Error(`the ${this.#name} gave no figures after ${limitMs} ms`)), limitMs);
      child.send(order, (error) => error && reject(error));
    });
    try {
      const reply = await Promise.race([answered, this.gone()]);
      if (!reply.ok) throw new Error(reply.error);
      return reply.figures;
    } finally {
      clearTimeout(timer);
      child.removeAllListeners('message');
    }
  }

  /** Asks the process to end, waits, and kills it after a grace period. Never rejects. */
  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), EXIT_GRACE_MS);
    await this.#exited;
    clearTimeout(timer);
  }
}
