import { PackageFault } from '../archive/package-fault.ts';
import type { ByteReader } from './byte-reader.ts';

const UTF8_FLAG = 1 << 8;
/** Characters decoded from one pool in all. Many entries may point to one long text, so decoding has to have an end. */
const CHARACTERS_MAX = 8_000_000;

/** The texts of a binary XML file or a resource table (Android's `ResStringPool`), decoded when they are asked for. */
export class StringPool {
  readonly #reader: ByteReader;
  readonly #count: number;
  readonly #offsets: number;
  readonly #strings: number;
  readonly #end: number;
  readonly #utf8: boolean;
  #characters = 0;

  /** @param at where the pool's chunk begins */
  constructor(reader: ByteReader, at: number) {
    this.#reader = reader;
    this.#end = at + reader.u32(at + 4);
    this.#count = reader.u32(at + 8);
    this.#utf8 = (reader.u32(at + 16) & UTF8_FLAG) !== 0;
    this.#strings = at + reader.u32(at + 20);
    this.#offsets = at + reader.u16(at + 2);
    if (this.#end > reader.size || this.#offsets + this.#count * 4 > this.#end) {
      throw new PackageFault(`${reader.what} has a string pool that is longer than the file.`);
    }
  }

  /** `undefined` for numbers that name no text. */
  get(index: number): string | undefined {
    if (index < 0 || index >= this.#count) return undefined;
    const at = this.#strings + this.#reader.u32(this.#offsets + index * 4);
    const text = this.#utf8 ? this.#utf8At(at) : this.#utf16At(at);
    this.#characters += text.length;
    if (this.#characters > CHARACTERS_MAX) throw new PackageFault(`${this.#reader.what} has too much text.`);
    return text;
  }

  #utf8At(at: number): string {
    // First the length in characters, then in bytes; each has one or two bytes.
    const bytesAt = at + (this.#reader.u8(at) & 0x80 ? 2 : 1);
    const first = this.#reader.u8(bytesAt);
    const long = (first & 0x80) !== 0;
    const length = long ? ((first & 0x7f) << 8) | this.#reader.u8(bytesAt + 1) : first;
    return this.#within(bytesAt + (long ? 2 : 1), length).toString('utf8');
  }

  #utf16At(at: number): string {
    const first = this.#reader.u16(at);
    const long = (first & 0x8000) !== 0;
    const length = long ? (first & 0x7fff) * 0x10000 + this.#reader.u16(at + 2) : first;
    return this.#within(at + (long ? 4 : 2), length * 2).toString('utf16le');
  }

  #within(at: number, length: number): Buffer {
    if (at + length > this.#end) throw new PackageFault(`${this.#reader.what} has a text that leaves its string pool.`);
    return this.#reader.slice(at, length);
  }
}
