import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pinned, yielding } from './pin.ts';
import type { Reply } from './reply.ts';

/** The folder that `bench/` lies in; children run there. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Loaded before each child's own code: ends it when the channel to the bench closes, since a bench that was killed cannot
 * end its children. The channel by itself keeps no child alive. A data address, because threads load it again and
 * know no TypeScript.
 */
const END_WITH_BENCH = `data:text/javascript,if(process.channel){process.on('disconnect',()=>process.exit());process.channel.unref()}`;
const EXIT_GRACE_MS = 3_000;
const STDERR_KEPT = 4_000;

export interface ChildOptions {
  /** For messages about it. */
  readonly name: string;
  /** TypeScript file, relative to the project. */
  readonly file: string;
  /** Another checkout of the project, whose file it is then. */
  readonly root?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** All threads are bound to it; the scheduler places them without. */
  readonly core?: number | undefined;
  /** It takes only time that nothing else wants: a stand-in for machines of its own. */
  readonly yields?: boolean | undefined;
  /** Loaded before `file`, in its threads as well: URLs. */
  readonly preloads?: readonly string[];
}

/** A child process of the bench. It never outlives the bench, whichever way that ends. */
export class Child {
  readonly process: ChildProcess;
  readonly #name: string;
  readonly #exited: Promise<void>;
  #stderr = '';
  readonly #killNow = () => void this.process.kill('SIGKILL');

  constructor({ name, file, root = ROOT, env, core, yields, preloads = [] }: ChildOptions) {
    this.#name = name;
    const imports = ['tsx', END_WITH_BENCH, ...preloads];
    const args = [...imports.flatMap((each) => ['--import', each]), file];
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
    this.#exited = new Promise((resolve) => {
      this.process.once('exit', () => resolve());
      this.process.once('error', () => resolve());
    });
    process.once('exit', this.#killNow);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** What it wrote to standard error last. */
  lastWords(): string {
    return this.#stderr.trim();
  }

  /** Rejects when the process is gone, with its last words. */
  async gone(): Promise<never> {
    await this.#exited;
    throw new Error(`${this.#name} ended by itself:\n${this.lastWords()}`);
  }

  /** Gives an order, one at a time, and waits for its figures. Throws when it fails, is late or the process is gone. */
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

  /** Asks the process to end and waits for it; after a grace it is killed. Never rejects. */
  async stop(): Promise<void> {
    process.off('exit', this.#killNow);
    this.process.kill('SIGTERM');
    const timer = setTimeout(this.#killNow, EXIT_GRACE_MS);
    await this.#exited;
    clearTimeout(timer);
  }
}
