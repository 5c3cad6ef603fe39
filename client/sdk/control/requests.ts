import { type OpenRequest, OpenRequests, type RequestMessage } from '../../core/open-requests.ts';
import { type Operation, RunCloudError, unanswered } from '../error.ts';
import type { Acknowledgement, Observed } from '../types.ts';
import type { Stage } from './messages.ts';

export type Message = RequestMessage & { readonly type: string };

/** A request, and how it may be retried while the socket is disconnected. */
export interface Ask {
  readonly message: Message;
  readonly operation: Operation;
  /** Milliseconds until the call fails; longer than the service's own timeout. */
  readonly waitMs: number;
  /** Whether the request may be sent again with the same id; a live gesture may not, since it ends with its socket. */
  readonly repeatable: boolean;
  /** Sends the request over REST with the same id; `signal` is aborted once the caller has its answer. */
  readonly overRest?: (signal: AbortSignal) => Promise<Acknowledgement>;
  readonly onStage?: (stage: Stage) => void;
}

interface Pending extends Ask, OpenRequest<Acknowledgement> {
  readonly message: Message;
  /** Aborted when the request has ended, so that nothing more is sent for it. */
  readonly over: AbortController;
  readonly fail: (error: unknown) => void;
  /** Its outcome, while what it changed is still observed. */
  completed?: Acknowledgement;
}

type OverRest = Pending & Required<Pick<Pending, 'overRest'>>;

/** After this time without a connection, requests use REST until the socket is back. */
const PATIENCE_MS = 1_500;
/** Pause between tries over REST while the service is unreachable. */
const REST_PAUSE_MS = 1_000;

/**
 * Pending requests in their order. After a lost connection they are sent again with the same ids, on the next connection or
 * over REST: the service keeps outcomes by id, so no request has a second effect.
 */
export class PendingRequests {
  readonly #send: (message: RequestMessage) => boolean;
  readonly #pending: OpenRequests<Acknowledgement, Pending>;
  #connected = false;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #pumping = false;
  #ended: unknown;

  /**
   * @param send sends a message now; `false` if not connected
   * @param sent how many messages were sent over the connection
   */
  constructor(send: (message: RequestMessage) => boolean, sent: () => number) {
    this.#send = send;
    this.#pending = new OpenRequests((message) => this.#connected && send(message), sent);
  }

  /** Resolves with the terminal acknowledgement, even of a failure; rejects if none came. */
  ask(ask: Ask): Promise<Acknowledgement> {
    const { message, operation, waitMs, repeatable } = ask;
    const { requestId } = message;
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const refusal = this.#pending.refusal(requestId);
    if (refusal === 'duplicate_request') return this.#join(ask);
    if (refusal === 'rate_limited') return Promise.reject(tooMany(operation));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The request may have arrived: cancel it, since its caller is told that it failed.
        this.#send({ type: 'cancel', requestId });
        pending.fail(unanswered(operation, 'timeout', 'The service did not answer in time.', aboutOf(message)));
      }, waitMs);
      const over = new AbortController();
      const done = (finish: () => void) => {
        clearTimeout(timer);
        over.abort();
        this.#pending.close(pending);
        finish();
      };
      const pending: Pending = {
        ...ask,
        over,
        settle: (acknowledgement) => done(() => resolve(acknowledgement)),
        fail: (error) => done(() => reject(error)),
        lost: () => pending.fail(lost(ask)),
      };
      this.#pending.open(pending);
      if (!this.#connected && repeatable) this.#losePatience();
    });
  }

  has(requestId: string): boolean {
    return this.#pending.find(requestId) !== undefined;
  }

  stage(stage: Stage): void {
    this.#pending.find(stage.requestId)?.onStage?.(stage);
  }

  settle(acknowledgement: Acknowledgement): void {
    const pending = this.#pending.find(acknowledgement.requestId);
    if (pending && acknowledgement.ok && pending.message.observe === true) pending.completed = acknowledgement;
    else this.#pending.settle(acknowledgement);
  }

  /** What was seen of the effect of a request that completed. */
  observed(requestId: string, observed: Observed): void {
    const completed = this.#pending.find(requestId)?.completed;
    if (completed) this.#pending.settle({ ...completed, observed });
  }

  fail(requestId: string, error: unknown): void {
    this.#pending.find(requestId)?.fail(error);
  }

  /**
   * Sends pending requests in their order after each connection.
   *
   * @param received how many messages the service has received over a connection that was resumed, which are not repeated
   */
  connected(received?: number): void {
    this.#connected = true;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#pending.resend(received);
  }

  /** Fails the requests that cannot be sent again, after a lost connection. */
  disconnected(): void {
    this.#connected = false;
    this.#pending.disconnected();
    if (this.#pending.all.length > 0) this.#losePatience();
  }

  /** Fails all pending requests: there will be no further connection. */
  end(error: unknown): void {
    this.#connected = false;
    this.#ended = error;
    clearTimeout(this.#patience);
    for (const pending of this.#pending.all) pending.fail(error);
  }

  /** A second request with a pending id. The service joins both; this one uses REST, since a socket gets one answer per id. */
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

  /** One at a time, so that requests over REST keep their order. */
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
    const [first] = this.#pending.all.filter(({ overRest }) => overRest !== undefined);
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
