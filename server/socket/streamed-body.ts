import type { Exchange } from './exchange.ts';
import type { HttpHead, HttpReply, StreamedBodyWanted } from './http.ts';

/** The caller has gone before the end of its body. */
export class BodyCutOff extends Error {}

/** Bytes that may wait for their reader before the sender is told to stop; a few pieces as the library hands them over. */
const WAITING_BYTES_MAX = 2 * 2 ** 20;

/** How long an answer waits for the end of a body that nobody wants any more. */
const LET_GO_MS = 30_000;

/** How the sender is stopped and let on again. */
interface Flow {
  pause(): void;
  resume(): void;
}

/** A body on its way, for one reader. At most `WAITING_BYTES_MAX` and what is under way are held. */
export class BodyPieces implements AsyncIterable<Uint8Array> {
  readonly #flow: Flow;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #paused = false;
  #state: 'open' | 'ended' | 'cut off' | 'unwanted' = 'open';
  #wake: () => void = () => undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  get ended(): boolean {
    return this.#state === 'ended';
  }

  /** Takes a copy of a piece: the library takes its memory back. */
  push(piece: Uint8Array, isLast: boolean): void {
    if (this.#state === 'unwanted' && isLast) return this.cutOff();
    if (this.#state !== 'open') return;
    this.#waiting.push(new Uint8Array(piece));
    this.#waitingBytes += piece.byteLength;
    if (isLast) this.#state = 'ended';
    else if (this.#waitingBytes > WAITING_BYTES_MAX && !this.#paused) {
      this.#paused = true;
      this.#flow.pause();
    }
    this.#wake();
  }

  /** Nothing more will come. */
  cutOff(): void {
    if (this.#state !== 'ended') this.#state = 'cut off';
    this.#wake();
  }

  /** Nobody will read on: what still comes is let go. Resolves when nothing more will come. */
  async discard(): Promise<void> {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#letOn();
    if (this.#state !== 'open') return;
    this.#state = 'unwanted';
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Throws `BodyCutOff` when the caller leaves before the end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#state === 'cut off') throw new BodyCutOff('the caller left before the end of its body');
      const piece = this.#waiting.shift();
      if (piece) {
        this.#waitingBytes -= piece.byteLength;
        if (this.#waitingBytes <= WAITING_BYTES_MAX / 2) this.#letOn();
        yield piece;
      } else if (this.#state === 'open') {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else return;
    }
  }

  #letOn(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#flow.resume();
  }
}

/**
 * Serves one request whose body is taken in pieces. Must be called before the request's callback returns.
 *
 * An answer that closes the connection under a caller that is still sending resets it, and the caller loses the answer
 * (RFC 9112, section 9.6). So one that can be given before a body with a length is read leaves the connection open, and
 * the library lets the body go; any other waits until the body is over.
 *
 * Unlike other bodies it may come chunked: the library takes a Content-Length of at most nine digits, and clients that
 * stream a file often do not tell one. The connection of a chunked body is closed after the answer, because the library
 * reads chunk sizes leniently (RFC 9112, section 7.1): what follows the body is never taken for another request.
 */
export function serveStreamedBody(head: HttpHead, wanted: StreamedBodyWanted, exchange: Exchange): void {
  const length = head.header('content-length');
  const coding = head.header('transfer-encoding')?.toLowerCase();
  const chunked = coding === 'chunked' && length === undefined;
  if (!chunked && (coding !== undefined || length === undefined || !/^\d+$/.test(length))) {
    return exchange.answer(wanted.refuse('length_required'));
  }
  const refused = Number(length ?? 0) > wanted.bodyBytesMax ? wanted.refuse('payload_too_large') : undefined;
  const admitted = refused ?? wanted.admit();
  if (!chunked && typeof admitted !== 'function') return refuseUnread(admitted, exchange);
  const body = new BodyPieces(exchange);
  exchange.onGone(() => body.cutOff());
  let bytes = 0;
  exchange.onBody((piece, isLast) => {
    if (!exchange.isOpen) return;
    bytes += piece.byteLength;
    if (bytes <= wanted.bodyBytesMax) return body.push(piece, isLast);
    body.cutOff();
    exchange.answer(wanted.refuse('payload_too_large'));
  });
  void (typeof admitted === 'function' ? admitted(body) : Promise.resolve(admitted)).then(async (reply) => {
    const whole = body.ended;
    await letGo(body);
    if (whole && !chunked) return exchange.answer(reply);
    // Only after the library has processed what it has read: a pipelined request in there would be served after this answer.
    setImmediate(() => exchange.answer({ ...reply, close: true }));
  });
}

/** Answers without the body, which the library lets go meanwhile and after. */
function refuseUnread(reply: HttpReply | Promise<HttpReply>, exchange: Exchange): void {
  if (!(reply instanceof Promise)) return exchange.answer({ ...reply, close: false });
  exchange.onBody(() => undefined);
  void reply.then((settled) => {
    if (exchange.isOpen) exchange.answer({ ...settled, close: false });
  });
}

/** Resolves when the unwanted rest of a body has arrived, or after a timeout. */
async function letGo(body: BodyPieces): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LET_GO_MS);
  });
  await Promise.race([body.discard(), late]);
  clearTimeout(timer);
}
