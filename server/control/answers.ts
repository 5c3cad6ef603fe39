import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { Fifo } from '../flow/fifo.ts';
import type { Bearer } from '../flow/quota.ts';
import { type AnsweredMessage, type AnswerOptions, answer, type Result } from './answer.ts';
import type { MessageWriter } from './message-writer.ts';

/** Unsent bytes with which the next screenshot may leave. */
const ROOM_BYTES = 1_048_576;

const TOO_MANY = 'This socket has many screenshots that the client has not read.';

/** The connection of the answers. */
export interface AnswersOwner {
  /** What the socket has not sent, pictures of streams left out. */
  readonly unsentBytes: number;
  send(result: Result): void;
  /** Called after each answer, with the error that it tells. */
  answered(errorCode: string | undefined): void;
}

/**
 * The requests of one client that are answered beside the session's queue.
 *
 * Each screenshot leaves when the client has read most of the one before it: many that were asked for at once are ready at once,
 * and more than a socket may have unsent. Those that wait share their bytes.
 */
export class Answers {
  readonly #options: AnswerOptions;
  readonly #owner: AnswersOwner;
  readonly #writer: Pick<MessageWriter, 'flush'>;
  readonly #open = new Set<string>();
  #waiting: Fifo<Result> | undefined;
  /** The newest screenshot that has left, while it may be unsent. */
  #leavingBytes = 0;

  constructor(options: AnswerOptions, owner: AnswersOwner, writer: Pick<MessageWriter, 'flush'>) {
    this.#options = options;
    this.#owner = owner;
    this.#writer = writer;
  }

  /** Ids of the requests that have no answer yet. */
  get open(): Iterable<string> {
    return this.#open;
  }

  /** What is unsent beside the newest screenshot, which alone may be larger than the limit of unsent bytes. */
  get otherUnsentBytes(): number {
    return this.#owner.unsentBytes - this.#leavingBytes;
  }

  /** Throws `rate_limited` for one more screenshot of a client that does not read those that it has asked for. */
  answer(message: AnsweredMessage, bearer: Bearer): void {
    const isScreenshot = message.type === 'screenshot';
    if (isScreenshot && (this.#waiting?.size ?? 0) >= LIMITS.pendingScreenshots) {
      throw new ServiceError('rate_limited', TOO_MANY, { retryAfterSeconds: 1 });
    }
    this.#open.add(message.requestId);
    void answer(message, this.#options, bearer).then((result) => {
      if (isScreenshot) this.#sendInTurn(result);
      else this.#send(result);
      this.#owner.answered(result.error?.code);
    });
  }

  /** The socket has sent something, or is gone. */
  drained(): void {
    if (this.#owner.unsentBytes <= ROOM_BYTES) this.#leavingBytes = 0;
    this.#sendWaiting();
  }

  /** Sends what waits, whether there is room or not, since the socket is about to close. */
  sendAll(): void {
    for (let next = this.#waiting?.shift(); next; next = this.#waiting?.shift()) this.#send(next);
  }

  #sendInTurn(result: Result): void {
    this.#waiting ??= new Fifo(4);
    this.#waiting.push(result);
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    const waiting = this.#waiting;
    while (waiting && waiting.size > 0 && this.#owner.unsentBytes <= ROOM_BYTES) {
      const next = waiting.shift() as Result;
      this.#leavingBytes = pictureBytesOf(next);
      this.#send(next);
      this.#writer.flush();
    }
  }

  #send(result: Result): void {
    this.#open.delete(result.requestId);
    this.#owner.send(result);
  }
}

/** A picture is nearly all of its answer. */
function pictureBytesOf({ result }: Result): number {
  return result?.image instanceof Uint8Array ? result.image.byteLength : 0;
}
