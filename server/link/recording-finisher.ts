import type { Clock } from '../flow/clock.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import { Watchdog } from '../flow/watchdog.ts';
import type { LogIds } from '../observe/log-ids.ts';
import { FinisherThread, interrupted, type Question } from './finisher-thread.ts';
import { type LinkLog, NO_LOG } from './link-log.ts';
import type { Port } from './messages.ts';
import type { RecordingStage } from './recording-fault.ts';
import type {
  FinishedRecording,
  FinishOrder,
  FromFinisher,
  PosterOrder,
  StoreOrder,
  ToFinisher,
  VerifyOrder,
} from './recording-messages.ts';

/** Timeout of the finisher's heartbeat, which is sent every second. */
export const SILENCE_MS_MAX = 30_000;

/** Maximum wait for the end of the thread; unfinished work then ends with the process. */
const CLOSE_MS_MAX = 5_000;

export interface FinisherOptions {
  /** Starts the finisher's thread. */
  readonly spawn: () => Port<ToFinisher, FromFinisher>;
  readonly clock: Clock;
  /** Logs internal errors of the thread. */
  readonly log?: LinkLog;
}

/** Maximum wait of a repeated call for a recording that a hung finisher still works on. */
const HELD_MS_MAX = 300_000;

/** Maximum number of hung threads; beyond it no further calls are made, since the disk does not respond. */
const HUNG_MAX = 2;

/**
 * The gateway's side of the finisher: one thread that turns captures into verified files verifies stored files and
 * makes their posters. It is started
 * by the first call; if it dies or hangs, the next call starts a new one.
 *
 * A hung thread is not terminated: stopping it inside FFmpeg would end the process. It ends itself when it is done. Meanwhile no
 * other thread works on the same object.
 */
export class RecordingFinisher {
  readonly #options: FinisherOptions;
  #thread: FinisherThread | undefined;
  readonly #hung = new Set<FinisherThread>();
  /** Pending outcomes of hung threads by the file of their object. */
  readonly #held = new Map<string, Promise<FinishedRecording>>();
  readonly #silence: Watchdog;
  #closed = false;

  constructor(options: FinisherOptions) {
    this.#options = options;
    this.#silence = new Watchdog(options.clock);
  }

  /** Starts the thread in advance, so that the first call need not wait for it. */
  warm(): void {
    if (!this.#closed) this.#open();
  }

  /** Finishes a capture's files into one object. Can be repeated. Rejects with a `RecordingFault`. */
  async finish(order: FinishOrder, about: LogIds = {}): Promise<FinishedRecording> {
    const held = this.#held.get(order.targetFile);
    if (held === undefined) return this.#ask<FinishedRecording>('finalize', { kind: 'finish', order }, about);
    try {
      return await withTimeout(HELD_MS_MAX, this.#options.clock, held);
    } catch (error) {
      throw error instanceof TimeoutError ? interrupted('finalize', HUNG) : error;
    }
  }

  /** Whether a stored object matches its record. Rejects with a `RecordingFault` if it cannot be read. */
  verify(order: VerifyOrder, about: LogIds = {}): Promise<boolean> {
    return this.#ask('verify', { kind: 'verify', order }, about);
  }

  /** The poster of a stored object, a JPEG. Can be repeated. Rejects with a `RecordingFault`. */
  makePoster(order: PosterOrder, about: LogIds = {}): Promise<Uint8Array> {
    return this.#ask('verify', { kind: 'poster', order }, about);
  }

  /** Calls the object store; resolves with what it tells. Can be repeated. Rejects with a `RecordingFault`. */
  store(order: StoreOrder, about: LogIds = {}): Promise<string | undefined> {
    return this.#ask('store', { kind: 'store', order }, about);
  }

  /** Rejects the pending calls and ends the thread; settles when it has ended. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#silence.clear();
    const thread = this.#thread;
    this.#thread = undefined;
    if (!thread) return;
    thread.rejectAll('it was closed');
    await withTimeout(CLOSE_MS_MAX, this.#options.clock, thread.end()).catch(() => undefined);
  }

  async #ask<T>(stage: RecordingStage, question: Question, about: LogIds): Promise<T> {
    if (this.#closed) throw interrupted(stage, 'it was closed');
    const thread = this.#open();
    if (!thread) throw interrupted(stage, HUNG);
    const wasBusy = thread.isBusy;
    const answer = thread.ask<T>(stage, question, about);
    if (!wasBusy) this.#watch();
    return answer;
  }

  /** The current thread; `undefined` while too many hang. */
  #open(): FinisherThread | undefined {
    if (this.#thread || this.#hung.size >= HUNG_MAX) return this.#thread;
    const { spawn, log = NO_LOG } = this.#options;
    const listener = {
      heard: () => {
        if (this.#thread === thread) this.#watch();
      },
      gone: () => {
        this.#hung.delete(thread);
        if (this.#thread !== thread) return;
        this.#thread = undefined;
        this.#silence.clear();
      },
    };
    const thread = new FinisherThread(spawn(), listener, log);
    this.#thread = thread;
    return thread;
  }

  /** Detects a thread that has work but is silent. */
  #watch(): void {
    this.#silence.clear();
    if (this.#thread?.isBusy === false) return;
    this.#silence.set(SILENCE_MS_MAX, () => this.#leaveAlone());
  }

  #leaveAlone(): void {
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = undefined;
    this.#hung.add(thread);
    for (const [file, outcome] of thread.finishing()) {
      this.#held.set(file, outcome);
      const forget = () => void this.#held.delete(file);
      outcome.then(forget, forget);
    }
    thread.rejectAll(HUNG);
    void thread.end();
  }
}

const HUNG = 'it hung';
