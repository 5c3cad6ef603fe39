/** Reads bits of a raw byte sequence payload, most significant bit first (ITU-T H.264, 7.2). Throws beyond the end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bits read so far. */
  get position(): number {
    return this.#at;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new RangeError('the parameter set ends too early');
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /** u(n), at most 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  /** ue(v) (9.1). */
  unsigned(): number {
    let zeros = 0;
    while (this.bit() === 0) if (++zeros > 31) throw new RangeError('a number of the parameter set is too large');
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v) (9.1.1). */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

/** Writes bits, most significant bit first. */
export class BitWriter {
  readonly #bits: number[] = [];

  bits(value: number, count: number): void {
    for (let index = count - 1; index >= 0; index--) this.#bits.push(Math.floor(value / 2 ** index) % 2);
  }

  /** ue(v). */
  unsigned(value: number): void {
    const length = Math.floor(Math.log2(value + 1));
    this.bits(0, length);
    this.bits(value + 1, length + 1);
  }

  /** Copies the next `count` bits of another payload. */
  copy(reader: BitReader, count: number): void {
    for (let index = 0; index < count; index++) this.#bits.push(reader.bit());
  }

  /** Appends the stop bit and zeros up to a whole byte (7.3.2.11), and returns all bytes. */
  end(): Uint8Array {
    const bits = [...this.#bits, 1];
    const bytes = new Uint8Array(Math.ceil(bits.length / 8));
    for (const [index, bit] of bits.entries())
      bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (7 - (index & 7)));
    return bytes;
  }
}
