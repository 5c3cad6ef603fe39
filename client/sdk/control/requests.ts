import { type Operation, RunCloudError, unanswered } from '../error.ts';
import type { Acknowledgement } from '../types.ts';
import type { Stage } from './messages.ts';

export type Message = Readonly<Record<string, unknown>> & { readonly type: string; readonly requestId: string };

/** A request, and what it may do when the socket is away. */
export interface Ask {
  readonly message: Message;
  readonly operation: Operation;
  /** Milliseconds until the caller gives up; longer than the service's own timeout. */
  readonly waitMs: number;
  /** Whether the same id may be sent again; a live gesture ends with its socket. */
  readonly repeatable: boolean;
  /** Asks over REST instead, under the same id; `signal` is aborted when the caller has been given its answer. */
  readonly overRest?: (signal: AbortSignal) => Promise<Acknowledgement>;
  readonly onStage?: (stage: Stage) => void;
}

interface Pending extends Ask {
  /** Aborted when it is over: nothing is sent for it any more. */
  readonly over: AbortController;
  readonly settle: (acknowledgement: Acknowledgement) => void;
  readonly fail: (error: unknown) => void;
}

type OverRest = Pending & Required<Pick<Pending, 'overRest'>>;

/** Unanswered requests of one socket; past it a caller is told to slow down. */
const PENDING_MAX = 1_024;
/** A socket that is away this long is not waited for: requests go over REST, until it is back. */
const PATIENCE_MS = 1_500;
/** Between tries over REST while nothing can be reached. */
const REST_PAUSE_MS = 1_000;

/**
 * Requests that wait for their result, in their order. What a lost connection left open is asked again, under the same
 * ids, on the next connection or over REST: the service keeps outcomes by id, so nothing happens twice.
 */
export class PendingRequests {
  readonly #send: (message: Message) => boolean;
  readonly #pending = new Map<string, Pending>();
  #connected = false;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #pumping = false;
  #ended: unknown;

  /** @param send sends a message now; `false` when there is no connection */
  constructor(send: (message: Message) => boolean) {
    this.#send = send;
  }

  /** Resolves with the terminal acknowledgement, whatever it says; rejects when nobody gave one. */
  ask(ask: Ask): Promise<Acknowledgement> {
    const { message, operation, waitMs, repeatable } = ask;
    const { requestId } = message;
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#pending.has(requestId)) return this.#join(ask);
    if (this.#pending.size >= PENDING_MAX) return Promise.reject(tooMany(operation));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // It may have come through: then nothing of it is to happen after its caller was told that it failed.
        this.#send({ type: 'cancel', requestId });
        pending.fail(unanswered(operation, 'timeout', 'The service did not answer in time.', aboutOf(message)));
      }, waitMs);
      const over = new AbortController();
      const done = (finish: () => void) => {
        clearTimeout(timer);
        over.abort();
        if (this.#pending.get(requestId) === pending) this.#pending.delete(requestId);
        finish();
      };
      const pending: Pending = {
        ...ask,
        over,
        settle: (acknowledgement) => done(() => resolve(acknowledgement)),
        fail: (error) => done(() => reject(error)),
      };
      this.#pending.set(requestId, pending);
      if (this.#connected && this.#send(message)) return;
      if (repeatable) this.#losePatience();
      else pending.fail(lost(pending));
    });
  }

  has(requestId: string): boolean {
    return this.#pending.has(requestId);
  }

  stage(stage: Stage): void {
    this.#pending.get(stage.requestId)?.onStage?.(stage);
  }

  settle(acknowledgement: Acknowledgement): void {
    this.#pending.get(acknowledgement.requestId)?.settle(acknowledgement);
  }

  fail(requestId: string, error: unknown): void {
    this.#pending.get(requestId)?.fail(error);
  }

  /** Connected, for the first time or again: everything that is open is asked, in its order. */
  connected(): void {
    this.#connected = true;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    for (const { message } of [...this.#pending.values()]) this.#send(message);
  }

  /** The connection is lost, and will be opened again: what cannot be asked again has failed. */
  disconnected(): void {
    this.#connected = false;
    for (const pending of [...this.#pending.values()]) if (!pending.repeatable) pending.fail(lost(pending));
    if (this.#pending.size > 0) this.#losePatience();
  }

  /** There will be no connection any more. */
  end(error: unknown): void {
    this.#connected = false;
    this.#ended = error;
    clearTimeout(this.#patience);
    for (const pending of [...this.#pending.values()]) pending.fail(error);
  }

  /** The same id twice at once: the service joins both, over REST here because one socket has one answer for it. */
  #join({ overRest, operation, message }: Ask): Promise<Acknowledgement> {
    if (overRest) return overRest(new AbortController().signal);
    return Promise.reject(
      new RunCloudError({
        operation: operation.name,
        status: 409,
        error: { code: 'duplicate_request', message: 'A request with this id waits for its answer.', retryable: false },
        envelope: aboutOf(message),
      }),
    );
  }

  #losePatience(): void {
    if (this.#patience !== undefined || this.#pumping) return;
    this.#patience = setTimeout(() => {
      this.#patience = undefined;
      void this.#pump();
    }, PATIENCE_MS);
  }

  /** One at a time, so that what is asked over REST keeps its order. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    try {
      for (let next = this.#nextOverRest(); next; next = this.#nextOverRest()) {
        try {
          next.settle(await next.overRest(next.over.signal));
        } catch (error) {
          const isLost = error instanceof RunCloudError && error.code === next.operation.transportCode;
          if (!isLost) next.fail(error);
          else if (!next.over.signal.aborted) await new Promise((resolve) => setTimeout(resolve, REST_PAUSE_MS));
        }
      }
    } finally {
      this.#pumping = false;
    }
  }

  #nextOverRest(): OverRest | undefined {
    if (this.#connected || this.#ended !== undefined) return undefined;
    const [first] = [...this.#pending.values()].filter(({ overRest }) => overRest !== undefined);
    return first as OverRest | undefined;
  }
}

const aboutOf = ({ requestId, action }: Message) => ({
  requestId,
  ...(typeof action === 'string' ? { action } : {}),
});

const lost = ({ operation, message }: Ask): RunCloudError =>
  unanswered(operation, 'transport', 'The control socket was lost.', aboutOf(message));

const tooMany = (operation: Operation): RunCloudError =>
  new RunCloudError({
    operation: operation.name,
    error: { code: 'rate_limited', message: 'Too many requests wait for their answers.', retryable: true },
  });
