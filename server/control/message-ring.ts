import { LIMITS } from '@runcloud/protocol/terms';

/** The memory that the rings of one account share. */
export interface RingMemory {
  /** `false` if there is not so much left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** How often `age` is called. */
export const RING_TICK_MS = LIMITS.resumeWindowMs / 8;
const TICKS_KEPT = 8;

/** Sizes of the first chunks, and of every further one: few messages take little memory, many take few chunks. */
const CHUNK_BYTES = [128, 384, 4_096, 16_384] as const;
/** Chunks of which a ring lets go are used again, up to as many bytes of each size: making one costs more than filling it. */
const SPARE_BYTES = 1_048_576;
const spares = new Map<number, Uint8Array[]>(CHUNK_BYTES.map((size) => [size, []]));

const takeChunk = (size: number): Uint8Array => spares.get(size)?.pop() ?? new Uint8Array(size);

function letGo(bytes: Uint8Array): void {
  const list = spares.get(bytes.length);
  if (list && list.length < SPARE_BYTES / bytes.length) list.push(bytes);
}

/** The length of a message is in front of it. */
const HEAD_BYTES = 4;

interface Chunk {
  readonly bytes: Uint8Array;
  /** The number of its first message. */
  readonly first: number;
  /** The number of its last message. */
  last: number;
  end: number;
  /** The tick of its last message. */
  tick: number;
  /** Its bytes may be another connection's by now. */
  isGone: boolean;
}

/**
 * Numbers the messages that one connection sends, from 1, and keeps the bytes of the newest ones for a client that comes back.
 * They lie in chunks that are forgotten as a whole, so that a message costs one copy and makes no garbage.
 */
export class MessageRing {
  readonly #memory: RingMemory;
  /** Oldest first. */
  #chunks: Chunk[] = [];
  #newest: Chunk | undefined;
  #sent = 0;
  #bytes = 0;
  #tick = 0;
  #isOpen = true;

  constructor(memory: RingMemory) {
    this.#memory = memory;
  }

  /** How many messages were numbered. */
  get sent(): number {
    return this.#sent;
  }

  /** The memory that it holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Numbers a message and keeps a copy. */
  push(message: Uint8Array): void {
    this.#sent++;
    const length = message.byteLength;
    let chunk = this.#newest;
    if (chunk === undefined || chunk.bytes.length - chunk.end < HEAD_BYTES + length) {
      chunk = this.#add(HEAD_BYTES + length);
      // What comes after a gap is of no use to a client that misses the gap.
      if (chunk === undefined) return this.#forgetAll();
    }
    const { bytes, end } = chunk;
    bytes[end] = length;
    bytes[end + 1] = length >>> 8;
    bytes[end + 2] = length >>> 16;
    bytes[end + 3] = length >>> 24;
    bytes.set(message, end + HEAD_BYTES);
    chunk.end = end + HEAD_BYTES + length;
    chunk.last = this.#sent;
    chunk.tick = this.#tick;
  }

  /** Whether a client that has the first `count` messages can be sent all the others. */
  holdsAfter(count: number): boolean {
    const oldest = this.#chunks[0];
    const forgotten = oldest === undefined ? this.#sent : oldest.first - 1;
    return count <= this.#sent && count >= Math.max(forgotten, this.#sent - LIMITS.resumeMessages);
  }

  /** The length of the chunks with messages behind the first `count`. */
  bytesAfter(count: number): number {
    return this.#chunks.reduce((sum, { last, end }) => (last > count ? sum + end : sum), 0);
  }

  /** The kept messages behind the first `count`, in their order. The bytes are valid until the next `push` of any ring. */
  *after(count: number): Generator<Uint8Array, void, undefined> {
    for (const chunk of [...this.#chunks]) {
      const { bytes, first, last, end } = chunk;
      if (last <= count) continue;
      let number = first;
      for (let at = 0; at < end && !chunk.isGone; number++) {
        const length =
          (bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24);
        at += HEAD_BYTES + length;
        if (number > count) yield bytes.subarray(at - length, at);
      }
    }
  }

  /** Forgets chunks of which the client has every message. */
  forget(count: number): void {
    while (this.#chunks[0] && this.#chunks[0].last <= count) this.#drop();
  }

  /** Called at each tick: forgets what is older than a connection can wait for its client. */
  age(): void {
    this.#tick++;
    // Of a connection that has gone quiet: the memory is given back, and not kept for others.
    while (this.#chunks[0] && this.#chunks[0].tick < this.#tick - TICKS_KEPT) this.#drop();
  }

  /** Forgets everything, for good. */
  close(): void {
    this.#isOpen = false;
    this.#forgetAll();
  }

  #add(needed: number): Chunk | undefined {
    const size = Math.max(needed, CHUNK_BYTES[this.#chunks.length] ?? CHUNK_BYTES[3]);
    if (size > LIMITS.resumeBytes || !this.#isOpen) return undefined;
    while (this.#chunks[0] && this.#isTooMuch(size)) letGo(this.#drop());
    if (!this.#memory.take(size)) return undefined;
    // To make room, the account's oldest connection without a socket is given up, which may be this one.
    if (!this.#isOpen) {
      this.#memory.give(size);
      return undefined;
    }
    const bytes = takeChunk(size);
    const chunk: Chunk = { bytes, first: this.#sent, last: this.#sent, end: 0, tick: this.#tick, isGone: false };
    this.#bytes += size;
    this.#chunks.push(chunk);
    this.#newest = chunk;
    return chunk;
  }

  #isTooMuch(size: number): boolean {
    const oldest = this.#chunks[0];
    if (oldest === undefined) return false;
    return this.#bytes + size > LIMITS.resumeBytes || oldest.last <= this.#sent - LIMITS.resumeMessages;
  }

  #drop(): Uint8Array {
    const chunk = this.#chunks.shift() as Chunk;
    const { bytes } = chunk;
    chunk.isGone = true;
    if (this.#chunks.length === 0) this.#newest = undefined;
    this.#bytes -= bytes.length;
    this.#memory.give(bytes.length);
    return bytes;
  }

  #forgetAll(): void {
    while (this.#chunks.length > 0) letGo(this.#drop());
  }
}
