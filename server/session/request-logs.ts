import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../flow/clock.ts';
import { UNKNOWN } from '../interaction/past-requests.ts';
import type { OnFault } from '../observe/log-ids.ts';
import { type LogFile, RequestLog, type RequestLogOptions } from './request-log.ts';
import { type LogContent, readLines } from './request-log-lines.ts';
import type { SessionPast } from './session-past.ts';

/** How soon after its last sign of life a process is to be followed by the next one, so that sessions go on. */
export const BACK_WITHIN_MS = 60_000;
/** How often a process with such sessions gives a sign of life. */
export const ALIVE_EVERY_MS = 2_000;
/** More inputs than leave for a real device between two signs of life. */
const INPUTS_BETWEEN = 65_536;
/** Endings that are younger may be missing in the history. */
const HISTORY_LATE_MS = 10_000;

const PRIVATE = { file: 0o600, folder: 0o700 } as const;
const ALIVE = 'alive';
const FILE_NAME = /^(ses_\w+)\.(\d{1,9})$/;

/** The last sign of life of a process. */
interface Alive {
  readonly atMs: number;
  readonly sessions: Readonly<Record<string, { readonly usedAtMs: number; readonly inputSeq: number }>>;
}

/** What the process before has left of a session. */
export interface LeftSession {
  readonly content: LogContent;
  readonly files: readonly LogFile[];
  /** Whether this process has come soon enough, with the same start of the machine. */
  readonly isInTime: boolean;
  readonly past: SessionPast;
}

export interface RequestLogsOptions {
  /** Where the request logs lie. */
  readonly folder: string;
  readonly clock: Clock;
  readonly onFault: OnFault;
  /** How long the machine has been up. What was written before that may be lost. */
  readonly upMs?: () => number;
}

/** The request logs of all sessions that may go on in the next process, and the sign of life of this one. */
export class RequestLogs {
  readonly #options: RequestLogsOptions;
  readonly #live = new Map<string, { readonly requestLog: RequestLog; session?: { readonly idleMs: number } }>();
  #left: ReadonlyMap<string, LeftSession> = new Map();
  #cancelBeat: (() => void) | undefined;
  #isClosed = false;

  constructor(options: RequestLogsOptions) {
    this.#options = options;
  }

  /** What the process before has left, by session. To be called before the first session begins. */
  left(): ReadonlyMap<string, LeftSession> {
    const { clock, upMs = () => uptime() * 1_000 } = this.#options;
    const nowMs = clock.wallMs();
    const alive = this.#readAlive();
    const found = new Map<string, LeftSession>();
    for (const [sessionId, files] of this.#files()) {
      const content = this.#read(sessionId, files);
      if (!content) continue;
      const latestMs = Math.max(alive.atMs, content.latestMs);
      const awayMs = nowMs - latestMs;
      // A clock that was set tells nothing of the time in between.
      const isInTime = Math.abs(awayMs) <= BACK_WITHIN_MS && awayMs < upMs();
      found.set(sessionId, { content, files, isInTime, past: pastOf(content, alive, nowMs) });
    }
    this.#left = found;
    return found;
  }

  /** Removes what was left of sessions that do not go on. */
  removeOthers(): void {
    this.#left = new Map();
    for (const [sessionId, files] of this.#files()) {
      if (!this.#live.has(sessionId)) for (const { path } of files) rmSync(path, { force: true, recursive: true });
    }
  }

  /** Begins the request log of a session, or goes on with it; `undefined` where the disk does not take it. */
  begin(head: Omit<RequestLogOptions['head'], 'startedAtMs'>): RequestLog | undefined {
    const { folder, clock, onFault } = this.#options;
    const { sessionId } = head;
    const left = this.#left.get(sessionId);
    const startedAtMs = left?.content.startedAtMs ?? Math.floor(clock.wallMs());
    const onFailed = (error: unknown) => {
      this.#live.delete(sessionId);
      onFault(error, { sessionId });
    };
    try {
      mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
      const pathOf = (number: number) => join(folder, `${sessionId}.${number}`);
      const requestLog = new RequestLog({
        head: { ...head, startedAtMs },
        pathOf,
        onFailed,
        ...(left && { past: left.content, files: left.files }),
      });
      requestLog.inputSeq = left?.past.requests.inputSeq ?? 0;
      this.#live.set(sessionId, { requestLog });
      this.#beatLater();
      return requestLog;
    } catch (error) {
      onFailed(error);
      return undefined;
    }
  }

  /** From now on the use of the session is noted, too. */
  follow(sessionId: string, session: { readonly idleMs: number }): void {
    const live = this.#live.get(sessionId);
    if (live) live.session = session;
  }

  /** The session ends in this process. */
  forget(sessionId: string): void {
    const live = this.#live.get(sessionId);
    this.#live.delete(sessionId);
    try {
      live?.requestLog.remove();
    } catch (error) {
      this.#options.onFault(error, { sessionId });
    }
  }

  /** Lets go of the files; what is in them stays. */
  close(): void {
    this.#isClosed = true;
    this.#cancelBeat?.();
    for (const { requestLog } of this.#live.values()) requestLog.close();
    this.#live.clear();
  }

  #beatLater(): void {
    if (this.#isClosed || this.#live.size === 0) return;
    this.#cancelBeat ??= this.#options.clock.schedule(ALIVE_EVERY_MS, () => {
      this.#beat()
        .catch((error) => this.#options.onFault(error))
        .finally(() => {
          this.#cancelBeat = undefined;
          this.#beatLater();
        });
    });
  }

  async #beat(): Promise<void> {
    const { folder, clock } = this.#options;
    const nowMs = Math.floor(clock.wallMs());
    const sessions: Record<string, { usedAtMs: number; inputSeq: number }> = {};
    for (const [id, { requestLog, session }] of this.#live) {
      sessions[id] = { usedAtMs: Math.floor(nowMs - (session?.idleMs ?? 0)), inputSeq: requestLog.inputSeq };
    }
    const path = join(folder, ALIVE);
    await writeFile(`${path}.part`, JSON.stringify({ atMs: nowMs, sessions } satisfies Alive), { mode: PRIVATE.file });
    await rename(`${path}.part`, path);
  }

  /** What a request log has; `undefined` for one that cannot be read, whose session ends. */
  #read(sessionId: string, files: readonly LogFile[]): LogContent | undefined {
    try {
      const content = readLines(files.map(({ path }) => readFileSync(path, 'utf8')));
      return content?.sessionId === sessionId ? content : undefined;
    } catch (error) {
      this.#options.onFault(error, { sessionId });
      return undefined;
    }
  }

  #readAlive(): Alive {
    try {
      const { atMs, sessions } = JSON.parse(readFileSync(join(this.#options.folder, ALIVE), 'utf8')) as Alive;
      return { atMs, sessions: { ...sessions } };
    } catch {
      // The request logs tell of a process that was killed before its first sign.
      return { atMs: 0, sessions: {} };
    }
  }

  /** The files of each session, oldest first. */
  #files(): ReadonlyMap<string, LogFile[]> {
    const { folder } = this.#options;
    const found = new Map<string, LogFile[]>();
    for (const name of namesIn(folder)) {
      const [, sessionId, digits] = FILE_NAME.exec(name) ?? [];
      if (sessionId === undefined) continue;
      const files = found.get(sessionId) ?? [];
      files.push({ path: join(folder, name), number: Number(digits), requests: 0 });
      found.set(sessionId, files);
    }
    for (const files of found.values()) files.sort((one, other) => one.number - other.number);
    return found;
  }
}

function pastOf(content: LogContent, { sessions }: Alive, nowMs: number): SessionPast {
  const { startedAtMs, requests, latestMs, nextSeq, origins } = content;
  const { usedAtMs = startedAtMs, inputSeq = 0 } = sessions[content.sessionId] ?? {};
  const lately = requests.filter(({ entry, endedAtMs }) => entry > 0 && endedAtMs > latestMs - HISTORY_LATE_MS);
  return {
    startedAgoMs: nowMs - startedAtMs,
    idleMs: nowMs - Math.max(usedAtMs, latestMs),
    history: { nextSeq, origins, endings: lately.filter(({ ending }) => ending !== UNKNOWN) },
    requests: {
      ended: requests.map((request) => ({ ...request, endedAgoMs: nowMs - request.endedAtMs })),
      inputSeq: inputSeq + INPUTS_BETWEEN,
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
