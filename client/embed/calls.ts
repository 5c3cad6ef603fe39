import type { ClipboardResult, FailedInteraction, InteractionResult, ToFrame } from './messages.ts';

export type InteractionMessage = Extract<ToFrame, { type: 'service:interaction' }>;

/** A message that is answered by a result. */
export type CallMessage = InteractionMessage | Extract<ToFrame, { type: 'service:clipboard' }>;

type Result = InteractionResult | ClipboardResult;

/** The options of a call. */
export interface CallParts {
  readonly message: CallMessage;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when this page stops waiting, so that the frame cancels the request. */
  readonly givenUp: () => void;
}

interface Call {
  readonly message: CallMessage;
  /** The frame that the call was posted to; absent until then. */
  frameId: string | undefined;
  readonly settle: (result: Result) => void;
}

/** Pending calls by request id. Each ends once: the first outcome wins. */
export class Calls {
  readonly #calls = new Map<string, Call>();

  has(requestId: string): boolean {
    return this.#calls.has(requestId);
  }

  add({ message, waitMs, signal, givenUp }: CallParts): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { requestId } = message;
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#calls.delete(requestId);
      };
      const settle = (result: Result): void => {
        end();
        resolve(result);
      };
      const abort = (): void => {
        givenUp();
        end();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        givenUp();
        settle(unacknowledged(message, 'interaction_timeout', 'The frame did not answer in time.', 'timed_out'));
      }, waitMs);
      signal?.addEventListener('abort', abort);
      this.#calls.set(requestId, { message, frameId: undefined, settle });
    });
  }

  /** Marks a call as posted; `undefined` if it has ended. */
  posted(requestId: string, frameId: string): void {
    const call = this.#calls.get(requestId);
    if (call) call.frameId = frameId;
  }

  /** Whether a call was posted to the frame. */
  isPosted(requestId: string): boolean {
    return this.#calls.get(requestId)?.frameId !== undefined;
  }

  settle(result: Result): void {
    this.#calls.get(result.requestId)?.settle(result);
  }

  /** Fails the calls that were posted to earlier frames. */
  failOthers(frameId: string, sentence: string): void {
    for (const call of [...this.#calls.values()]) {
      if (call.frameId !== undefined && call.frameId !== frameId) call.settle(lost(call.message, sentence));
    }
  }

  failAll(sentence: string): void {
    for (const call of [...this.#calls.values()]) call.settle(lost(call.message, sentence));
  }

  /** Calls that were not posted yet, in their order. */
  unposted(): readonly CallMessage[] {
    return [...this.#calls.values()].filter(({ frameId }) => frameId === undefined).map(({ message }) => message);
  }
}

/** The result of a request without an acknowledgement. */
export function lost(message: Pick<CallMessage, 'requestId' | 'action'>, sentence: string): FailedInteraction {
  return unacknowledged(message, 'interaction_transport_error', sentence);
}

export function unacknowledged(
  { requestId, action }: Pick<CallMessage, 'requestId' | 'action'>,
  code: 'interaction_transport_error' | 'interaction_timeout' | 'duplicate_request' | 'invalid_interaction',
  message: string,
  status: FailedInteraction['status'] = 'failed',
): FailedInteraction {
  const retryable = code === 'interaction_transport_error' || code === 'interaction_timeout';
  return { requestId, action, status, error: { code, message, retryable } };
}
