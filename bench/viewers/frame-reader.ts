/** Number of bytes of a message that are passed on: the header of a screen packet. */
const HEAD_BYTES = 32;
/** Maximum length of the head of an unmasked frame from a server (RFC 6455, section 5.2). */
const FRAME_HEAD_BYTES = 10;

export interface FrameEvents {
  /** A complete frame was read. `head` has its first bytes, at most 32, and is valid until this returns. */
  frame(opcode: number, head: Buffer, payloadBytes: number): void;
  /** A part of a frame's payload, valid until this returns, and its offset in the payload. */
  part?(bytes: Buffer, at: number): void;
}

/**
 * Reads a server's WebSocket frames from a byte stream and looks only at the first bytes of each: a library that parses
 * thousands of pictures per second would cost the load process more than the server spends on sending them.
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

  /** Reads `bytes`, which may contain any number of frames and parts of frames. */
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

  /** Takes the bytes that belong to the frame and returns their number. */
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

/** Length of the payload from a frame's head; -1 while the head is incomplete. */
function payloadLength(head: Buffer, has: number): number {
  if (has < 2) return -1;
  const short = head[1] ?? 0;
  if (short < 126) return short;
  if (short === 126) return has < 4 ? -1 : head.readUInt16BE(2);
  if (short === 127) return has < FRAME_HEAD_BYTES ? -1 : Number(head.readBigUInt64BE(2));
  throw new Error('a server does not mask its frames');
}
