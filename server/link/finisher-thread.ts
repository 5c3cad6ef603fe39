import type { LogIds } from '../observe/log-ids.ts';
import type { LinkLog } from './link-log.ts';
import type { Port } from './messages.ts';
import { PendingCalls } from './pending-calls.ts';
import { RecordingFault, type RecordingStage } from './recording-fault.ts';
import type {
  FinishedRecording,
  FinishOrder,
  FromFinisher,
  PosterOrder,
  StoreOrder,
  ToFinisher,
  VerifyOrder,
} from './recording-messages.ts';

/** A call to a finisher without its number. */
export type Question =
  | { readonly kind: 'finish'; readonly order: FinishOrder }
  | { readonly kind: 'verify'; readonly order: VerifyOrder }
  | { readonly kind: 'poster'; readonly order: PosterOrder }
  | { readonly kind: 'store'; readonly order: StoreOrder };

export interface FinisherListener {
  /** The thread has sent a message: it is alive. */
  heard(): void;
  /** The thread has ended; no further messages come. */
  gone(): void;
}

interface Pending {
  readonly stage: RecordingStage;
  readonly question: Question;
  readonly about: LogIds;
  /** The thread's answer or its end; the caller may have got another outcome before. */
  readonly outcome: Promise<never>;
  readonly settle: { resolve(value: never): void; reject(fault: RecordingFault): void };
  /** Settles the caller without waiting for the outcome. */
  readonly giveUp: (fault: RecordingFault) => void;
}

/** One thread of the finisher with its pending calls. */
export class FinisherThread {
  readonly #port: Port<ToFinisher, FromFinisher>;
  readonly #listener: FinisherListener;
  readonly #log: LinkLog;
  readonly #calls = new PendingCalls<Pending>(({ stage, about, settle }, reason) => {
    this.#log.error({ ...about, stage, reason }, 'the finisher ended before it had answered');
    settle.reject(interrupted(stage, reason));
  });
  readonly #gone: Promise<void>;

  constructor(port: Port<ToFinisher, FromFinisher>, listener: FinisherListener, log: LinkLog) {
    this.#port = port;
    this.#log = log;
    this.#listener = listener;
    port.onReceive((batch) => {
      for (const message of batch) this.#receive(message);
    });
    this.#gone = new Promise((resolve) => {
      port.onClosed((reason) => {
        listener.gone();
        this.#calls.end(reason);
        resolve();
      });
    });
  }

  /** Whether calls are pending. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Rejects with a `RecordingFault`. */
  ask<T>(stage: RecordingStage, question: Question, about: LogIds): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let settle: Pending['settle'] | undefined;
      const outcome = new Promise<never>((answer, refuse) => {
        settle = { resolve: answer, reject: refuse };
      });
      outcome.then(resolve, reject);
      if (!settle) return;
      const call = this.#calls.begin({ stage, question, about, outcome, settle, giveUp: reject });
      this.#port.send([{ ...question, call }], []);
    });
  }

  /** The outcomes of the objects in progress by their files. */
  finishing(): [string, Promise<FinishedRecording>][] {
    return [...this.#calls.waiting].flatMap(({ question, outcome }) =>
      question.kind === 'finish' ? [[question.order.targetFile, outcome as Promise<FinishedRecording>]] : [],
    );
  }

  /** Rejects all pending calls without stopping the thread. */
  rejectAll(reason: string): void {
    for (const { stage, giveUp } of [...this.#calls.waiting]) giveUp(interrupted(stage, reason));
  }

  /** Tells the thread to end itself after its current work; settles when it has ended. */
  end(): Promise<void> {
    this.#port.send([{ kind: 'close' }], []);
    return this.#gone;
  }

  #receive(message: FromFinisher): void {
    if (message.kind === 'alive') return this.#listener.heard();
    const pending = this.#calls.take(message.call);
    this.#listener.heard();
    if (message.kind === 'finished') pending?.settle.resolve(message.recording as never);
    else if (message.kind === 'verified') pending?.settle.resolve(message.same as never);
    else if (message.kind === 'poster-made') pending?.settle.resolve(message.jpeg as never);
    else if (message.kind === 'store-done') pending?.settle.resolve(message.told as never);
    else {
      const { cause, fault } = message;
      if (cause !== undefined) this.#log.error({ ...pending?.about, ...fault, cause }, 'the finisher failed');
      pending?.settle.reject(new RecordingFault(fault));
    }
  }
}

/** The fault of a call without an answer. */
export const interrupted = (stage: RecordingStage, reason: string): RecordingFault =>
  new RecordingFault({
    stage,
    code: 'storage_error',
    message: `The recording's finisher did not come to an end: ${reason}.`,
    retryable: true,
  });
