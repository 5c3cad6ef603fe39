import type { Acknowledgement, ErrorCode } from '@runcloud/protocol';
import { OpenRequests, type RequestMessage } from '../../core/open-requests.ts';

const REFUSALS = {
  duplicate_request: 'This page already waits for a request with this id.',
  rate_limited: 'Too many requests of this page wait for their answers.',
} as const;

/** The requests of a page. */
export class ViewerRequests {
  readonly #open: OpenRequests<Acknowledgement>;

  /** @param send sends a message now; `false` when there is no connection */
  constructor(send: (message: RequestMessage) => boolean) {
    this.#open = new OpenRequests(send);
  }

  get size(): number {
    return this.#open.all.length;
  }

  has(requestId: string): boolean {
    return this.#open.find(requestId) !== undefined;
  }

  /** Sends a request, now or once connected. The promise never rejects: a failure is an acknowledgement as well. */
  ask(message: RequestMessage, repeatable = true): Promise<Acknowledgement> {
    const refusal = this.#open.refusal(message.requestId);
    if (refusal) return Promise.resolve(failure(message, refusal, REFUSALS[refusal], refusal === 'rate_limited'));
    return new Promise((settle) => {
      const lost = () => this.settle(unanswered(message, 'The connection was lost.', true));
      this.#open.open({ message, repeatable, settle, lost });
    });
  }

  settle(acknowledgement: Acknowledgement): void {
    this.#open.settle(acknowledgement);
  }

  /** After a connection was lost: what cannot be asked again has failed. */
  lost(): void {
    this.#open.disconnected();
  }

  /** After connecting again: asks everything that is open once more, in its order. */
  resume(): void {
    this.#open.resend();
  }

  /** Ends everything that is open: nobody will answer any more. */
  end(sentence: string): void {
    for (const { message } of this.#open.all) this.settle(unanswered(message, sentence, false));
  }
}

const unanswered = (message: RequestMessage, sentence: string, retryable: boolean): Acknowledgement =>
  failure(message, 'interaction_transport_error', sentence, retryable);

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
