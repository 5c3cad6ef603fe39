import type { Clock } from '../flow/clock.ts';
import { within } from '../flow/within.ts';
import type { Port } from './messages.ts';
import { RecordingFault, type RecordingStage } from './recording-fault.ts';
import type { FinishedRecording, FinishOrder, FromFinisher, ToFinisher, VerifyOrder } from './recording-messages.ts';

/** A finisher at work says that it is alive every second; one that is silent for this long loops or hangs. */
export const SILENCE_MS_MAX = 30_000;

/** How long the end of the thread is waited for. What is left of its work after that ends with the process. */
const CLOSE_MS_MAX = 5_000;

export interface FinisherOptions {
  /** Starts the finisher's thread. */
  readonly spawn: () => Port<ToFinisher, FromFinisher>;
  readonly clock: Clock;
}

interface Pending {
  readonly stage: RecordingStage;
  readonly resolve: (value: never) => void;
  readonly reject: (fault: RecordingFault) => void;
}

/**
 * The gateway's side of the finisher: one thread that turns captures into verified files, and looks whether they are
 * still what they were. Started by the first question; one that dies or hangs is replaced by the next question.
 */
export class RecordingFinisher {
  readonly #options: FinisherOptions;
  readonly #pending = new Map<number, Pending>();
  #port: Port<ToFinisher, FromFinisher> | undefined;
  #lastCall = 0;
  #cancelWatch: () => void = () => undefined;
  #closed = false;

  constructor(options: FinisherOptions) {
    this.#options = options;
  }

  /** Starts the thread, if it is not there, so that the first question need not wait for it. */
  warm(): void {
    if (!this.#closed) this.#open();
  }

  /** Makes the finished object of a capture's files; may be asked again at any time. Rejects with a `RecordingFault`. */
  finish(order: FinishOrder): Promise<FinishedRecording> {
    return this.#ask('finalize', (call) => ({ kind: 'finish', call, order }));
  }

  /** Whether the stored object is what its record says. Rejects with a `RecordingFault` when it cannot be read. */
  verify(order: VerifyOrder): Promise<boolean> {
    return this.#ask('verify', (call) => ({ kind: 'verify', call, order }));
  }

  /**
   * Rejects what was asked and asks the thread to end; settles when it has. It is not ended from outside: a thread that is
   * stopped inside FFmpeg takes the process along.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const port = this.#port;
    this.#port = undefined;
    this.#rejectAll('it was closed');
    if (!port) return;
    const gone = new Promise<void>((resolve) => port.onClosed(() => resolve()));
    port.send([{ kind: 'close' }], []);
    await within(CLOSE_MS_MAX, this.#options.clock, gone).catch(() => undefined);
  }

  #ask<T>(stage: RecordingStage, toMessage: (call: number) => ToFinisher): Promise<T> {
    const call = ++this.#lastCall;
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(interrupted(stage, 'it was closed'));
      if (this.#pending.size === 0) this.#watch();
      this.#pending.set(call, { stage, resolve, reject });
      this.#open().send([toMessage(call)], []);
    });
  }

  #open(): Port<ToFinisher, FromFinisher> {
    if (this.#port) return this.#port;
    const port = this.#options.spawn();
    this.#port = port;
    port.onReceive((batch) => {
      for (const message of batch) if (this.#port === port) this.#receive(message);
    });
    port.onClosed((reason) => {
      if (this.#port === port) void this.#end(reason);
    });
    return port;
  }

  #receive(message: FromFinisher): void {
    if (message.kind === 'alive') return this.#watch();
    const pending = this.#pending.get(message.call);
    this.#pending.delete(message.call);
    this.#watch();
    if (message.kind === 'finished') pending?.resolve(message.recording as never);
    else if (message.kind === 'verified') pending?.resolve(message.same as never);
    else pending?.reject(new RecordingFault(message.fault));
  }

  /** Ends a thread from which nothing is heard although it has work. */
  #watch(): void {
    this.#cancelWatch();
    if (this.#pending.size === 0) return;
    this.#cancelWatch = this.#options.clock.schedule(SILENCE_MS_MAX, () => void this.#end('it hung'));
  }

  #end(reason: string): void {
    const port = this.#port;
    this.#port = undefined;
    void port?.close();
    this.#rejectAll(reason);
  }

  #rejectAll(reason: string): void {
    this.#cancelWatch();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { stage, reject } of pending) reject(interrupted(stage, reason));
  }
}

const interrupted = (stage: RecordingStage, reason: string) =>
  new RecordingFault({
    stage,
    code: 'storage_error',
    message: `The recording's finisher did not come to an end: ${reason}.`,
    retryable: true,
  });
