import type { HttpReply } from './http.ts';

/**
 * One request on its connection, whichever library holds it: its body comes in, and one answer goes out. After the answer
 * or the end of the connection every call is ignored.
 */
export interface Exchange {
  /** Whether the answer has not begun and the client is still connected. */
  readonly isOpen: boolean;
  /** @param listener called if the client disconnects before the answer is complete; one at a time */
  onGone(listener: () => void): void;
  /**
   * Must be called before the library's callback for the request returns; otherwise the body is let go.
   * @param take called with each piece, whose bytes are valid only until it returns; the last one may be empty
   */
  onBody(take: (piece: Uint8Array, isLast: boolean) => void): void;
  /** Stops reading from the client. */
  pause(): void;
  resume(): void;
  /** Answers after the library's callback for the request has returned. */
  answer(reply: HttpReply): void;
  /** Answers within the library's callback, which sends everything in one piece. */
  write(reply: HttpReply): void;
}
