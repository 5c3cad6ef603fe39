import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { HistoryOrigin } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Ending } from '../interaction/ending.ts';
import { fingerprint, sealed } from '../interaction/fingerprint.ts';
import type { Journal } from '../interaction/journal.ts';
import type { Request } from '../interaction/request.ts';
import { type AcceptedLine, type LogHead, type LogLine, lineOf } from './request-log-lines.ts';

/** For its owner alone. */
const PRIVATE_MODE = 0o600;

/** One file of a request log. */
export interface LogFile {
  readonly path: string;
  readonly number: number;
  /** How many requests are in it. */
  requests: number;
}

export interface RequestLogOptions {
  readonly head: Omit<LogHead, 'nextSeq' | 'origins'>;
  /** What the files before it say. */
  readonly past?: Pick<LogHead, 'nextSeq' | 'origins'>;
  /** Those of the process before, oldest first. */
  readonly files?: readonly LogFile[];
  /** The file with this number. */
  readonly pathOf: (number: number) => string;
  /** It cannot be written: the session ends with this process. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * What the next process has to know to go on with a session when this one is killed: each request is noted before any of it leaves for
 * the device, and its outcome when it is there. The operating system has what was written when a process is killed, so that nobody
 * waits for the disk. As many requests are kept as are remembered; then a further file is begun, and the oldest is removed.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #files: LogFile[];
  readonly #origins: HistoryOrigin[];
  /** Requests without an end, by their entries. */
  readonly #open = new Map<number, AcceptedLine>();
  #nextSeq: number;
  #lastOwn = 0;
  #handle: number | undefined;
  /** The newest input that has left for the device. */
  inputSeq = 0;

  /** Throws the system's errors. */
  constructor(options: RequestLogOptions) {
    const { past = { nextSeq: 1, origins: [] }, files = [] } = options;
    this.#options = options;
    this.#files = [...files];
    this.#origins = [...past.origins];
    this.#nextSeq = past.nextSeq;
    this.#beginFile();
  }

  /** A journal that notes here what it is told, and passes it on. */
  around(journal: Journal): Journal {
    return {
      origin: (by) => {
        const number = journal.origin(by);
        if (number > this.#origins.length) this.#noteOrigin(by);
        return number;
      },
      accepted: (request, origin) => {
        const entry = journal.accepted(request, origin);
        this.#accepted(entry, request);
        return entry;
      },
      dispatched: (entry, inputSeq, afterMs) => {
        this.inputSeq = inputSeq;
        journal.dispatched(entry, inputSeq, afterMs);
      },
      step: (entry, phase, points, afterMs) => journal.step(entry, phase, points, afterMs),
      touched: (entry, touched) => journal.touched(entry, touched),
      ended: (entry, ending, durationMs) => {
        journal.ended(entry, ending, durationMs);
        this.#ended(entry, ending, durationMs);
      },
      observed: (entry, observed) => journal.observed(entry, observed),
    };
  }

  /** The session is not to go on in another process. */
  remove(): void {
    this.close();
    for (const { path } of this.#files.splice(0)) rmSync(path, { force: true });
  }

  /** Writes nothing any more; what is written stays. */
  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle !== undefined) closeSync(handle);
  }

  #noteOrigin(by: HistoryOrigin): void {
    this.#origins.push(by);
    this.#write({ origin: by });
  }

  #accepted(entry: number, { requestId, action, accepted, spec }: Request): void {
    if (this.#handle === undefined) return;
    this.#nextSeq = Math.max(this.#nextSeq, entry + 1);
    if (spec.isForgotten) return this.#write({ accepted: { entry } });
    const line: AcceptedLine = {
      // One that the history could not take has no number there.
      entry: entry > 0 ? entry : --this.#lastOwn,
      request: {
        requestId,
        action,
        lease: spec.lease,
        acceptedAtMs: accepted.wallMs,
        fingerprint: sealed(fingerprint(action, spec.body)),
        ...('observe' in spec.body && spec.body.observe === true && { observe: true }),
      },
    };
    const file = this.#files.at(-1);
    if (file && ++file.requests > LIMITS.outcomesKept) this.#rotate();
    if (entry > 0) this.#open.set(entry, line);
    this.#write({ accepted: line });
  }

  #ended(entry: number, ending: Ending, durationMs: number): void {
    if (!this.#open.delete(entry)) return;
    const { status, result } = ending;
    const told = status === 'completed' ? { status, ...(result && { result }) } : ending;
    this.#write({ ended: { entry, durationMs, ending: told } });
  }

  #rotate(): void {
    try {
      this.#beginFile();
    } catch (error) {
      this.#fail(error);
    }
  }

  #beginFile(): void {
    const { head, pathOf } = this.#options;
    const number = (this.#files.at(-1)?.number ?? 0) + 1;
    const path = pathOf(number);
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
    this.#handle = openSync(path, 'w', PRIVATE_MODE);
    this.#files.push({ path, number, requests: this.#open.size });
    this.#write({ head: { ...head, nextSeq: this.#nextSeq, origins: this.#origins } });
    for (const accepted of this.#open.values()) this.#write({ accepted });
    // The others have as many as are remembered.
    while (this.#files.slice(1).reduce((sum, { requests }) => sum + requests, 0) >= LIMITS.outcomesKept) {
      const [oldest] = this.#files.splice(0, 1);
      if (oldest) rmSync(oldest.path, { force: true });
    }
  }

  #write(line: LogLine): void {
    if (this.#handle === undefined) return;
    try {
      const bytes = Buffer.from(lineOf(line));
      if (writeSync(this.#handle, bytes) === bytes.byteLength) return;
      this.#fail(new Error('the disk took a part of a line'));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is not noted would be done twice. */
  #fail(error: unknown): void {
    try {
      this.remove();
    } catch {
      // Whoever is told sees to it that it is not believed.
    }
    this.#options.onFailed(error);
  }
}
