import type { Acknowledgement, ErrorCode } from '@runcloud/protocol';

type Message = Readonly<Record<string, unknown>> & { readonly requestId: string };

interface Pending {
  readonly message: Message;
  /** Whether it may be asked again under its id; a live gesture, which is gone with its socket, may not. */
  readonly repeatable: boolean;
  readonly settle: (acknowledgement: Acknowledgement) => void;
}

/** Unanswered requests of a page; past it a caller is told to slow down. */
const PENDING_MAX = 1_024;

/** Requests that wait for their result. Those that a lost connection left open are asked again with the same ids. */
export class ViewerRequests {
  readonly #send: (message: Message) => boolean;
  readonly #pending = new Map<string, Pending>();

  constructor(send: (message: Message) => boolean) {
    this.#send = send;
  }

  get size(): number {
    return this.#pending.size;
  }

  has(requestId: string): boolean {
    return this.#pending.has(requestId);
  }

  /** Sends a request, now or once connected. The promise never rejects: a failure is an acknowledgement as well. */
  ask(message: Message, repeatable = true): Promise<Acknowledgement> {
    const { requestId } = message;
    return new Promise((settle) => {
      if (this.#pending.has(requestId)) {
        return settle(failure(message, 'duplicate_request', 'A request with this id is already pending on this page.'));
      }
      if (this.#pending.size >= PENDING_MAX) {
        return settle(failure(message, 'rate_limited', 'Too many requests from this page are pending.', true));
      }
      this.#pending.set(requestId, { message, repeatable, settle });
      if (!this.#send(message) && !repeatable) this.#fail(requestId, 'The page is not connected.');
      return undefined;
    });
  }

  settle(acknowledgement: Acknowledgement): void {
    const pending = this.#pending.get(acknowledgement.requestId);
    this.#pending.delete(acknowledgement.requestId);
    pending?.settle(acknowledgement);
  }

  /** After a connection was lost: what cannot be asked again has failed. */
  lost(): void {
    for (const [requestId, { repeatable }] of this.#pending) {
      if (!repeatable) this.#fail(requestId, 'The connection was lost.');
    }
  }

  /** After connecting again: asks everything that is open once more, in its order. */
  resume(): void {
    for (const { message } of this.#pending.values()) this.#send(message);
  }

  /** Ends everything that is open: nobody will answer any more. */
  end(sentence: string): void {
    for (const requestId of [...this.#pending.keys()]) this.#fail(requestId, sentence, false);
  }

  #fail(requestId: string, sentence: string, retryable = true): void {
    const pending = this.#pending.get(requestId);
    if (pending) this.settle(failure(pending.message, 'interaction_transport_error', sentence, retryable));
  }
}

function failure(message: Message, code: ErrorCode, sentence: string, retryable = false): Acknowledgement {
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
