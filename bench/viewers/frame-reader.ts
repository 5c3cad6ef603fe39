/** Bytes of a message that are handed over: the header of a screen packet. */
const HEAD_BYTES = 32;
/** The longest head of a frame from a server, which does not mask (RFC 6455, section 5.2). */
const FRAME_HEAD_BYTES = 10;

export interface FrameEvents {
  /** A whole frame was read. `head` holds its first bytes, up to 32, until this returns. */
  frame(opcode: number, head: Buffer, payloadBytes: number): void;
  /** A part of a frame's payload, valid until this returns, and where in the payload it stands. */
  part?(bytes: Buffer, at: number): void;
}

/**
 * Reads a server's WebSocket frames out of a byte stream, looking only at the first bytes of each: parsing thousands of
 * pictures a second with a library would cost the load process more than the server spends on sending them.
 */
export class FrameReader {
  readonly #events: FrameEvents;
  readonly #frameHead = Buffer.alloc(FRAME_HEAD_BYTES);
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #frameHeadHas = 0;
  #payloadBytes = -1;
  #payloadHas = 0;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** Reads `bytes`, wherever frames begin and end in them. */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#payloadBytes < 0) {
        this.#frameHead[this.#frameHeadHas++] = bytes[at++] ?? 0;
        this.#payloadBytes = payloadLength(this.#frameHead, this.#frameHeadHas);
      } else {
        at += this.#readPayload(bytes, at);
      }
      if (this.#payloadBytes >= 0 && this.#payloadHas === this.#payloadBytes) this.#finish();
    }
  }

  /** Takes what belongs to the frame; returns how many bytes. */
  #readPayload(bytes: Buffer, at: number): number {
    const taken = Math.min(bytes.length - at, this.#payloadBytes - this.#payloadHas);
    if (this.#payloadHas < HEAD_BYTES) bytes.copy(this.#head, this.#payloadHas, at, at + taken);
    this.#events.part?.(bytes.subarray(at, at + taken), this.#payloadHas);
    this.#payloadHas += taken;
    return taken;
  }

  #finish(): void {
    const bytes = this.#payloadBytes;
    this.#payloadBytes = -1;
    this.#payloadHas = 0;
    this.#frameHeadHas = 0;
    this.#events.frame((this.#frameHead[0] ?? 0) & 0x0f, this.#head.subarray(0, Math.min(bytes, HEAD_BYTES)), bytes);
  }
}

/** Length of the payload that a frame's head tells, or -1 while the head is not whole. */
function payloadLength(head: Buffer, has: number): number {
  if (has < 2) return -1;
  const short = head[1] ?? 0;
  if (short < 126) return short;
  if (short === 126) return has < 4 ? -1 : head.readUInt16BE(2);
  if (short === 127) return has < FRAME_HEAD_BYTES ? -1 : Number(head.readBigUInt64BE(2));
  throw new Error('a server does not mask its frames');
}
