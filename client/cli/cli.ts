import type { Readable, Writable } from 'node:stream';
import { checkedId } from '../sdk/arguments.ts';
import { RunCloud } from '../sdk/index.ts';
import type { SessionHandle } from '../sdk/session.ts';
import { checked, invalidRequest, noKey } from './failure.ts';
import { LastSession } from './last-session.ts';

/** The process, as far as commands use it; tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly interrupt: AbortSignal;
  /** Where the last session is remembered. */
  readonly stateFolder: string;
}

export interface OutputOptions {
  readonly json?: true;
}

export interface SessionOptions extends OutputOptions {
  readonly session?: string;
}

/** What every command has at hand. */
export class Cli {
  readonly io: Io;
  readonly lastSession: LastSession;
  readonly #owned: (() => void)[] = [];
  #cloud: RunCloud | undefined;

  constructor(io: Io) {
    this.io = io;
    this.lastSession = new LastSession(io.stateFolder);
  }

  /** The service. Throws where there is no key: whatever can be checked without one is checked before. */
  get cloud(): RunCloud {
    const { RUNCLOUD_API_KEY: apiKey, RUNCLOUD_BASE_URL: baseUrl } = this.io.env;
    if (apiKey === undefined || apiKey === '') throw noKey();
    this.#cloud ??= checked(() => new RunCloud({ apiKey, baseUrl: baseUrl === '' ? undefined : baseUrl }));
    return this.#cloud;
  }

  /** The session that a command is for: `--session`, `RUNCLOUD_SESSION`, or the last one. */
  async session({ session: named }: SessionOptions): Promise<SessionHandle> {
    const last = await this.lastSession.read();
    const id = named ?? (this.io.env.RUNCLOUD_SESSION || undefined) ?? last?.id;
    if (id === undefined) {
      throw invalidRequest('There is no session yet: create one with "runcloud session create", or name one.');
    }
    checked(() => checkedId('--session', id));
    const { cloud } = this;
    const known = last?.id === id ? cloud.session(last) : await cloud.sessions.get(id, { signal: this.io.interrupt });
    this.own(() => known.disconnect());
    return known;
  }

  /** One result: JSON for programs, a sentence for people. */
  print(options: OutputOptions, value: unknown, sentence: string): void {
    this.io.stdout.write(`${options.json ? JSON.stringify(value) : sentence}\n`);
  }

  /** Calls `release` when the command has ended, however it did. */
  own(release: () => void): void {
    this.#owned.push(release);
  }

  close(): void {
    for (const release of this.#owned.splice(0)) release();
  }
}
