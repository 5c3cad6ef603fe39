/** Reads serve-sim's `/stream.avcc`: a length of four bytes, the most significant first, a tag, and a payload. */

export type ChunkKind = 'configuration' | 'key' | 'delta' | 'seed' | 'other';

export interface Chunk {
  readonly kind: ChunkKind;
  /** Valid until the next call. */
  readonly payload: Uint8Array;
}

const KINDS: Readonly<Record<number, ChunkKind>> = { 1: 'configuration', 2: 'key', 3: 'delta', 4: 'seed', 6: 'delta' };
const LENGTH_BYTES = 4;

/** Key pictures of a 3000-pixel screen are below 4 MiB; whatever says that it is longer has lost its beginning. */
export const CHUNK_BYTES_MAX = 16 * 1024 * 1024;

/** Puts chunks together out of the pieces in which they arrive. Throws a `RangeError` for bytes that are no such stream. */
export class EnvelopeReader {
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** Bytes that the next chunk needs, its length included. */
  #wanted = LENGTH_BYTES;

  push(piece: Uint8Array): Chunk[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#wanted) return [];
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#size);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const chunks: Chunk[] = [];
    let at = 0;
    this.#wanted = LENGTH_BYTES;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = view.getUint32(at);
      if (length < 1 || length > CHUNK_BYTES_MAX) throw new RangeError('the picture stream is garbled');
      this.#wanted = LENGTH_BYTES + length;
      if (bytes.length - at < this.#wanted) break;
      const tag = bytes[at + LENGTH_BYTES] ?? 0;
      chunks.push({ kind: KINDS[tag] ?? 'other', payload: bytes.subarray(at + LENGTH_BYTES + 1, at + this.#wanted) });
      at += this.#wanted;
      this.#wanted = LENGTH_BYTES;
    }
    const rest = bytes.subarray(at);
    // The rest of a large piece would keep all of it alive.
    this.#pieces = rest.length === 0 ? [] : [Uint8Array.from(rest)];
    this.#size = rest.length;
    return chunks;
  }
}
