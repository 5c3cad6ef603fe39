import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../client/cli/run-command.ts';
import type { Bounds } from '../../client/sdk/index.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Readable;
  readonly stateFolder: string;
  readonly interrupt?: AbortSignal;
  /** Standard output and standard error as terminals. */
  readonly isTerminal?: boolean;
  /** Of standard error alone. */
  readonly isErrorTerminal?: boolean;
  /** Of the terminals. */
  readonly columns?: number;
  readonly nowMs?: () => number;
  /** Told of each address that would be opened in a browser. */
  readonly onBrowser?: (url: string) => void;
  readonly bounds?: Partial<Bounds>;
  /** Called with what came to standard output so far. */
  readonly onOutput?: (stdout: string) => void;
  /** The same of standard error. */
  readonly onErrorOutput?: (stderr: string) => void;
}

/** Runs a command line in this process, as `main.ts` does. */
export async function commandLine(args: readonly string[], options: CommandOptions): Promise<Finished> {
  const {
    env = {},
    stdin = '',
    stateFolder,
    interrupt = new AbortController().signal,
    onOutput,
    onErrorOutput,
  } = options;
  const {
    isTerminal = false,
    isErrorTerminal = isTerminal,
    columns = 80,
    nowMs,
    onBrowser = () => undefined,
  } = options;
  const terminal = (isTTY: boolean) => (isTTY ? { isTTY, columns } : {});
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const sink = (chunks: Buffer[], heard?: () => void) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        heard?.();
        done();
      },
    });
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
  const io = {
    stdin: typeof stdin === 'string' ? Readable.from([stdin]) : stdin,
    stdout: Object.assign(
      sink(out, () => onOutput?.(text(out))),
      terminal(isTerminal),
    ),
    stderr: Object.assign(
      sink(err, () => onErrorOutput?.(text(err))),
      terminal(isErrorTerminal),
    ),
    env,
    interrupt,
    stateFolder,
    openInBrowser: onBrowser,
    ...(nowMs ? { nowMs } : {}),
    ...(options.bounds ? { bounds: options.bounds } : {}),
  };
  const code = await runCommand(args, io, '1.2.3');
  return { code, stdout: text(out), stderr: text(err), bytes: Buffer.concat(out) };
}

/** The command in a process of its own, with nothing else of this process's environment. */
export function commandProcess(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['client/bin/runcloud.js', ...args], {
    env: { PATH, HOME, ...env },
  });
  const taken = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    taken.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    taken.stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...taken }));
  });
  return { child, taken, ended };
}

/** The one JSON object that a failure leaves on standard error. */
export function failureOf({ stderr }: Pick<Finished, 'stderr'>): Record<string, unknown> & { error: { code: string } } {
  if (!/^\{.*\}\n$/.test(stderr)) throw new Error(`not one line of JSON: ${stderr}`);
  return JSON.parse(stderr);
}
