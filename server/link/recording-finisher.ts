import type { Clock } from '../flow/clock.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import { Watchdog } from '../flow/watchdog.ts';
import type { LogIds } from '../observe/log-ids.ts';
import { FinisherThread, interrupted, type Question } from './finisher-thread.ts';
import { type LinkLog, NO_LOG } from './link-log.ts';
import type { Port } from './messages.ts';
import type { RecordingStage } from './recording-fault.ts';
import type { FinishedRecording, FinishOrder, FromFinisher, ToFinisher, VerifyOrder } from './recording-messages.ts';

/** A finisher at work says that it is alive every second; one that is silent for this long loops or hangs. */
export const SILENCE_MS_MAX = 30_000;

/** How long the end of the thread is waited for. What is left of its work after that ends with the process. */
const CLOSE_MS_MAX = 5_000;

export interface FinisherOptions {
  /** Starts the finisher's thread. */
  readonly spawn: () => Port<ToFinisher, FromFinisher>;
  readonly clock: Clock;
  /** For our own faults in the thread. */
  readonly log?: LinkLog;
}

/** A caller that asks anew for a recording that a hung finisher still works on waits for that one, no longer than this. */
const HELD_MS_MAX = 300_000;

/** Threads that hang at the same time. A disk on which so many hang is asked nothing more. */
const HUNG_MAX = 2;

/**
 * The gateway's side of the finisher: one thread that turns captures into verified files, and looks whether they are
 * still what they were. Started by the first question; one that dies or hangs is replaced by the next question.
 *
 * One that hangs is left alone, however long its disk takes: a thread that is stopped inside FFmpeg takes the process along.
 * It ends itself when it is done. No other works on the same object meanwhile.
 */
export class RecordingFinisher {
  readonly #options: FinisherOptions;
  #thread: FinisherThread | undefined;
  readonly #hung = new Set<FinisherThread>();
  /** The outcomes of hung threads that still work on an object, by its file. */
  readonly #held = new Map<string, Promise<FinishedRecording>>();
  readonly #silence: Watchdog;
  #closed = false;

  constructor(options: FinisherOptions) {
    this.#options = options;
    this.#silence = new Watchdog(options.clock);
  }

  /** Starts the thread, if it is not there, so that the first question need not wait for it. */
  warm(): void {
    if (!this.#closed) this.#open();
  }

  /** Makes the finished object of a capture's files; may be asked again at any time. Rejects with a `RecordingFault`. */
  async finish(order: FinishOrder, about: LogIds = {}): Promise<FinishedRecording> {
    const held = this.#held.get(order.targetFile);
    if (held === undefined) return this.#ask<FinishedRecording>('finalize', { kind: 'finish', order }, about);
    try {
      return await withTimeout(HELD_MS_MAX, this.#options.clock, held);
    } catch (error) {
      throw error instanceof TimeoutError ? interrupted('finalize', HUNG) : error;
    }
  }

  /** Whether the stored object is what its record says. Rejects with a `RecordingFault` when it cannot be read. */
  verify(order: VerifyOrder, about: LogIds = {}): Promise<boolean> {
    return this.#ask('verify', { kind: 'verify', order }, about);
  }

  /** Rejects what was asked and asks the thread to end; settles when it has. */
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

  /** The thread that is asked now; `undefined` while too many hang. */
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

  /** Notices a thread from which nothing is heard although it has work. */
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
