import type { Acknowledgement, ErrorCode } from '@runcloud/protocol';
import { OpenRequests, type RequestMessage } from '../../core/open-requests.ts';

const REFUSALS = {
  duplicate_request: 'This page already waits for a request with this id.',
  rate_limited: 'Too many requests of this page wait for their answers.',
} as const;

/**
 * How long a request outlives the connection. `again`: until there is a new one, however late. `soon`: for `SOON_MS`, since
 * a touch that arrives late does harm. `once`: not at all.
 */
export type Delivery = 'again' | 'soon' | 'once';

/** An input of a person that could not leave within this time is dropped. */
export const SOON_MS = 500;
/** One that did leave may have arrived, which a resumed connection tells: its outcome is waited for this long after a loss. */
export const OUTCOME_MS = 10_000;

/** The connection, as requests use it. */
export interface Line {
  /** Sends a message now; `false` when there is no connection. */
  readonly send: (message: RequestMessage) => boolean;
  /** How many messages were sent over the connection. */
  readonly sent: () => number;
  readonly now: () => number;
}

/** A request that arrives soon or not at all. */
interface Soon {
  readonly askedAtMs: number;
  /** Its number among the messages of the connection; infinite while it is not known to have been sent. */
  place: number;
  /** Runs while there is no connection. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The requests of a page. */
export class ViewerRequests {
  readonly #open: OpenRequests<Acknowledgement>;
  readonly #line: Line;
  /** Requests that wait for a connection, but not for long. */
  readonly #soon = new Map<string, Soon>();

  constructor(line: Line) {
    this.#line = line;
    this.#open = new OpenRequests((message) => this.#send(message), line.sent);
  }

  get size(): number {
    return this.#open.all.length;
  }

  has(requestId: string): boolean {
    return this.#open.find(requestId) !== undefined;
  }

  /** Sends a request, now or once connected. The promise never rejects: a failure is an acknowledgement as well. */
  ask(message: RequestMessage, delivery: Delivery = 'again'): Promise<Acknowledgement> {
    const { requestId } = message;
    const refusal = this.#open.refusal(requestId);
    if (refusal) return Promise.resolve(failure(message, refusal, REFUSALS[refusal], refusal === 'rate_limited'));
    return new Promise((settle) => {
      const lost = () => this.settle(unanswered(message, LOST, true));
      const soon: Soon = { askedAtMs: this.#line.now(), place: Number.POSITIVE_INFINITY, timer: undefined };
      if (delivery === 'soon') this.#soon.set(requestId, soon);
      const sent = this.#open.open({ message, repeatable: delivery !== 'once', settle, lost });
      if (!sent && delivery === 'soon') this.#hurry(message, soon, NOT_SENT, SOON_MS);
    });
  }

  settle(acknowledgement: Acknowledgement): void {
    clearTimeout(this.#soon.get(acknowledgement.requestId)?.timer);
    this.#soon.delete(acknowledgement.requestId);
    this.#open.settle(acknowledgement);
  }

  /** After a connection was lost: what cannot be asked again has failed. */
  lost(): void {
    this.#open.disconnected();
    for (const { message } of this.#open.all) {
      const soon = this.#soon.get(message.requestId);
      if (soon && soon.timer === undefined) this.#hurry(message, soon, LOST, OUTCOME_MS);
    }
  }

  /**
   * After connecting again: asks everything that is open once more, in its order. What was to be soon and is late by now has
   * failed, unless the service has it already.
   *
   * @param received how many messages the service has received over a connection that goes on; absent for another connection
   */
  resume(received = Number.NEGATIVE_INFINITY): void {
    for (const { message } of this.#open.all) {
      const soon = this.#soon.get(message.requestId);
      if (!soon) continue;
      clearTimeout(soon.timer);
      soon.timer = undefined;
      if (soon.place <= received) continue;
      const sentence = received < 0 ? LOST : NOT_ARRIVED;
      if (this.#line.now() - soon.askedAtMs > SOON_MS) this.settle(unanswered(message, sentence, true));
    }
    this.#open.resend(received);
  }

  #send(message: RequestMessage): boolean {
    const sent = this.#line.send(message);
    const soon = this.#soon.get(message.requestId);
    if (soon) soon.place = sent ? this.#line.sent() : Number.POSITIVE_INFINITY;
    return sent;
  }

  #hurry(message: RequestMessage, soon: Soon, sentence: string, ms: number): void {
    soon.timer = setTimeout(() => this.settle(unanswered(message, sentence, true)), ms);
  }

  /** Ends everything that is open: nobody will answer any more. */
  end(sentence: string): void {
    for (const { message } of this.#open.all) this.settle(unanswered(message, sentence, false));
  }
}

const LOST = 'The connection was lost.';
const NOT_ARRIVED = 'Not sent: the connection was lost.';
const NOT_SENT = 'Not sent: there is no connection.';

const unanswered = (message: RequestMessage, sentence: string, retryable: boolean): Acknowledgement =>
  failure(message, 'interaction_transport_error', sentence, retryable);

/** The outcome of an input that was not sent, because it would have arrived late. */
export const unsent = (message: RequestMessage): Acknowledgement =>
  unanswered(message, 'Not sent: the service does not answer.', true);

function failure(message: RequestMessage, code: ErrorCode, sentence: string, retryable: boolean): Acknowledgement {
  const now = new Date().toISOString();
  const { requestId, action, type } = message;
  return {
    ok: false,
    requestId,
    action: String(action ?? type),
    status: 'failed',
    acceptedAt: now,
    completedAt: now,
    durationMs: 0,
    error: { code, message: sentence, retryable },
  };
}
