/**
 * Checks an MP4 while it is streamed (ISO/IEC 14496-12, section 4.2): the sizes of the top-level boxes must add up to the
 * file, with `ftyp` first, one `moov`, and data. It buffers at most one box header.
 */
export class Mp4Scan {
  readonly #types = new Set<string>();
  #head = new Uint8Array(0);
  /** Missing bytes of the current box; infinite if it extends to the end of the file. */
  #left = 0;
  #fault: string | undefined;

  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && this.#fault === undefined) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, rest.length);
        this.#left -= taken;
        rest = rest.subarray(taken);
      } else {
        rest = this.#readHead(rest);
      }
    }
  }

  /** Why the streamed bytes are not an MP4; `undefined` if they are. */
  end(): string | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const open = this.#left > 0 && this.#left !== Number.POSITIVE_INFINITY;
    if (open || this.#head.length > 0) return 'the MP4 is cut off';
    const missing = ['ftyp', 'moov', 'mdat'].find((type) => !this.#types.has(type));
    return missing === undefined ? undefined : `the MP4 has no ${missing} box`;
  }

  #readHead(chunk: Uint8Array): Uint8Array {
    const wanted = this.#head.length >= 8 && isLarge(this.#head) ? 16 : 8;
    const taken = chunk.subarray(0, wanted - this.#head.length);
    const head = new Uint8Array([...this.#head, ...taken]);
    this.#head = head;
    if (head.length >= wanted && (wanted === 16 || !isLarge(head))) this.#enter(head);
    return chunk.subarray(taken.length);
  }

  #enter(head: Uint8Array): void {
    const view = new DataView(head.buffer);
    const type = String.fromCharCode(...head.subarray(4, 8));
    const size32 = view.getUint32(0);
    const size = isLarge(head) ? Number(view.getBigUint64(8)) : size32 === 0 ? Number.POSITIVE_INFINITY : size32;
    this.#head = new Uint8Array(0);
    if (this.#types.size === 0 && type !== 'ftyp') this.#fault = 'the MP4 does not begin with an ftyp box';
    else if (size < head.length) this.#fault = 'a box of the MP4 is smaller than its own head';
    else if (type === 'moov' && this.#types.has('moov')) this.#fault = 'the MP4 has two moov boxes';
    this.#types.add(type);
    this.#left = size - head.length;
  }
}

/** A size of 1 says that 64 bits of size follow the type. */
const isLarge = (head: Uint8Array): boolean => head[0] === 0 && head[1] === 0 && head[2] === 0 && head[3] === 1;

/** Why these bytes are not an MP4; `undefined` if they are. */
export function mp4Fault(bytes: Uint8Array): string | undefined {
  const scan = new Mp4Scan();
  scan.push(bytes);
  return scan.end();
}
