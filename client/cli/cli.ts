import type { Readable } from 'node:stream';
import { checkedId } from '../sdk/arguments.ts';
import { BOUNDS, type Bounds } from '../sdk/bounds.ts';
import { checkedBaseUrl, DEFAULT_BASE_URL } from '../sdk/client.ts';
import { RunCloud, type RunCloudOptions } from '../sdk/index.ts';
import type { SessionHandle } from '../sdk/session.ts';
import { checked, invalidRequest } from './failure.ts';
import { LastSession } from './last-session.ts';
import { lightFetch } from './light-fetch.ts';
import { isOfSameService } from './same-service.ts';
import { SignIn } from './sign-in/sign-in.ts';
import type { Line } from './terminal/line.ts';
import { type Stream, WriteOut } from './write-out.ts';

/** The process, as far as commands use it; tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly interrupt: AbortSignal;
  /** Where the last session is remembered, and tokens are kept. */
  readonly stateFolder: string;
  /** Opens an address in the person's browser. */
  readonly openInBrowser: (url: string) => void;
  /** The wall clock, in milliseconds since 1970, by which ages are told; the system's if absent. */
  readonly nowMs?: () => number;
  /** Instead of the SDK's own, for tests, which do not wait as long. */
  readonly bounds?: Partial<Bounds>;
}

export interface OutputOptions {
  readonly json?: true;
}

/** What output for people depends on. */
export interface View {
  /** Of the terminal. */
  readonly columns: number;
  readonly nowMs: number;
}

export interface SessionOptions extends OutputOptions {
  readonly session?: string;
}

/** The context of every command. */
export class Cli {
  /** Without its outputs, which `out` alone writes to. */
  readonly io: Omit<Io, 'stdout' | 'stderr'>;
  readonly out: WriteOut;
  readonly lastSession: LastSession;
  /** Of this package. */
  readonly version: string;
  readonly #owned: (() => void)[] = [];
  #cloud: RunCloud | undefined;
  #signIn: SignIn | undefined;

  constructor(io: Io, version: string) {
    this.io = io;
    this.version = version;
    this.out = new WriteOut(io.stdout, io.stderr, io.env);
    this.lastSession = new LastSession(io.stateFolder);
  }

  /** The base address of the service. */
  get baseUrl(): string {
    const { RUNCLOUD_BASE_URL } = this.io.env;
    try {
      return checkedBaseUrl(RUNCLOUD_BASE_URL || DEFAULT_BASE_URL);
    } catch {
      const message = `RUNCLOUD_BASE_URL is "${RUNCLOUD_BASE_URL}", which is no http or https address.`;
      throw invalidRequest(message, `The address of a service looks like ${DEFAULT_BASE_URL}.`);
    }
  }

  /** The service, by the key of the environment or else by the sign-in; without either the first call rejects. */
  get cloud(): RunCloud {
    const apiKey = this.io.env.RUNCLOUD_API_KEY || undefined;
    this.#cloud ??= apiKey === undefined ? this.signedIn() : this.#by(apiKey);
    return this.#cloud;
  }

  get signIn(): SignIn {
    this.#signIn ??= new SignIn(this.io.stateFolder, this.baseUrl, this.io.interrupt, this.bounds.answerMs);
    return this.#signIn;
  }

  /** The service, by the sign-in alone. */
  signedIn(): RunCloud {
    const { signIn } = this;
    return this.#by(() => signIn.accessToken());
  }

  /** The header `Authorization` of what goes to the service beside the SDK. */
  async authorization(): Promise<string> {
    return `Bearer ${this.io.env.RUNCLOUD_API_KEY || (await this.signIn.accessToken())}`;
  }

  get bounds(): Bounds {
    return { ...BOUNDS, ...this.io.bounds };
  }

  /**
   * The session that a command is for: `--session`, `RUNCLOUD_SESSION`, or the last one.
   *
   * @param signal ends the question for a session that is not known yet
   */
  async session({ session: named }: SessionOptions, signal = this.io.interrupt): Promise<SessionHandle> {
    const last = await this.lastSession.read();
    const id = named ?? (this.io.env.RUNCLOUD_SESSION || undefined) ?? last?.id;
    if (id === undefined) {
      throw invalidRequest(
        'There is no session yet: create one with "runcloud session create", or name one with --session.',
      );
    }
    checked(() => checkedId('--session', id));
    const { cloud } = this;
    const known = last?.id === id ? cloud.session(last) : await cloud.sessions.get(id, { signal });
    this.own(() => known.disconnect());
    return known;
  }

  #by(apiKey: RunCloudOptions['apiKey']): RunCloud {
    return checked(() => new RunCloud({ apiKey, baseUrl: this.baseUrl, bounds: this.bounds, fetch: lightFetch }));
  }

  /**
   * Opens an address that the service sent in the user's browser, but only if it has the service's own origin: a service must
   * not be able to open any page of the web. `false` for another origin; the user can open that address by hand.
   */
  open(url: string): boolean {
    const isOwn = isOfSameService(url, this.baseUrl);
    if (isOwn) this.io.openInBrowser(url);
    return isOwn;
  }

  /** Whether standard output is for a person: a program reads JSON, or plain lines from a pipe. */
  isForPerson({ json }: OutputOptions): boolean {
    return this.out.isTerminal && !json;
  }

  get view(): View {
    return { columns: this.out.columns, nowMs: (this.io.nowMs ?? Date.now)() };
  }

  /**
   * One result: JSON with `--json`, else lines. A terminal gets those of `forPeople` where there are others: what programs read
   * from a pipe stays as it is, while what people read may become better.
   */
  print(
    options: OutputOptions,
    value: unknown,
    lines: readonly string[],
    forPeople: (view: View) => readonly Line[] = () => lines,
  ): void {
    if (options.json) this.out.json(value);
    else this.out.lines(this.isForPerson(options) ? forPeople(this.view) : lines);
  }

  /** One result, to standard error: standard output has the file itself. */
  printAside(options: OutputOptions, value: unknown, lines: readonly string[]): void {
    if (options.json) this.out.asideJson(value);
    else this.out.asideLines(lines);
  }

  /** Calls `release` when the command has ended, however it did. */
  own(release: () => void): void {
    this.#owned.push(release);
  }

  close(): void {
    for (const release of this.#owned.splice(0)) release();
  }
}
