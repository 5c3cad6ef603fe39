import { PackageFault } from '../archive/package-fault.ts';

/** Values of a property list, as far as anybody here asks; dates and data are left out. */
export type PlistValue = string | number | boolean | undefined | readonly PlistValue[] | PlistDictionary;
export type PlistDictionary = ReadonlyMap<string, PlistValue>;

/** Values read in all. One object may be named from many places, so its bytes do not bound what comes out. */
const VALUES_MAX = 100_000;
const CHARACTERS_MAX = 4_000_000;
const DEPTH_MAX = 32;
const TRAILER_BYTES = 32;
const MAGIC = 'bplist00';

export const isBinaryPlist = (bytes: Buffer): boolean => bytes.toString('latin1', 0, MAGIC.length) === MAGIC;

/** Reads a binary property list (`CFBinaryPList.c`). Throws `PackageFault`. */
export function readBinaryPlist(bytes: Buffer, what: string): PlistValue {
  if (!isBinaryPlist(bytes) || bytes.length < MAGIC.length + TRAILER_BYTES) {
    throw new PackageFault(`${what} is no whole binary property list.`);
  }
  return new BinaryPlist(bytes, what).top();
}

class BinaryPlist {
  readonly #bytes: Buffer;
  readonly #what: string;
  readonly #offsetBytes: number;
  readonly #referenceBytes: number;
  readonly #objects: number;
  readonly #top: number;
  readonly #offsets: number;
  #values = 0;
  #characters = 0;

  constructor(bytes: Buffer, what: string) {
    this.#bytes = bytes;
    this.#what = what;
    const trailer = bytes.length - TRAILER_BYTES;
    this.#offsetBytes = this.#number(trailer + 6, 1);
    this.#referenceBytes = this.#number(trailer + 7, 1);
    this.#objects = this.#number(trailer + 8, 8);
    this.#top = this.#number(trailer + 16, 8);
    this.#offsets = this.#number(trailer + 24, 8);
  }

  top(): PlistValue {
    return this.#read(this.#top, 0);
  }

  #fault(why: string): PackageFault {
    return new PackageFault(`${this.#what} is not a valid property list: ${why}.`);
  }

  #number(at: number, length: number): number {
    if (length < 1 || length > 8 || at < 0 || at + length > this.#bytes.length) throw this.#fault('it leaves its file');
    let value = 0;
    for (let index = 0; index < length; index++) value = value * 256 + (this.#bytes[at + index] ?? 0);
    if (!Number.isSafeInteger(value)) throw this.#fault('a number is too large');
    return value;
  }

  #read(object: number, depth: number): PlistValue {
    if (object >= this.#objects) throw this.#fault('it names an object that it does not have');
    if (depth > DEPTH_MAX) throw this.#fault(`it is nested deeper than ${DEPTH_MAX} levels`);
    if (++this.#values > VALUES_MAX) throw this.#fault(`it has more than ${VALUES_MAX} values`);
    const at = this.#number(this.#offsets + object * this.#offsetBytes, this.#offsetBytes);
    const marker = this.#number(at, 1);
    const low = marker & 0x0f;
    switch (marker >>> 4) {
      case 0x0:
        return marker === 0x08 ? false : marker === 0x09 ? true : undefined;
      case 0x1:
        // 64 bits are signed, and 128 are for numbers beyond: neither means anything to us.
        return low <= 2 ? this.#number(at + 1, 2 ** low) : undefined;
      case 0x5:
        return this.#text(at, low, 1);
      case 0x6:
        return this.#text(at, low, 2);
      case 0xa:
      case 0xc:
        return this.#list(at, low, depth);
      case 0xd:
        return this.#dictionary(at, low, depth);
      default:
        return undefined;
    }
  }

  /** How many items, and where they begin. */
  #count(at: number, low: number): { readonly count: number; readonly start: number } {
    if (low !== 0x0f) return { count: low, start: at + 1 };
    const size = 2 ** (this.#number(at + 1, 1) & 0x0f);
    return { count: this.#number(at + 2, size), start: at + 2 + size };
  }

  #text(at: number, low: number, unitBytes: 1 | 2): string {
    const { count, start } = this.#count(at, low);
    const end = start + count * unitBytes;
    if (end > this.#bytes.length) throw this.#fault('a text leaves its file');
    this.#characters += count;
    if (this.#characters > CHARACTERS_MAX) throw this.#fault('it has too much text');
    const part = this.#bytes.subarray(start, end);
    return unitBytes === 1 ? part.toString('latin1') : Buffer.from(part).swap16().toString('utf16le');
  }

  #items(start: number, count: number, depth: number): PlistValue[] {
    if (count > VALUES_MAX) throw this.#fault(`it has more than ${VALUES_MAX} values`);
    return Array.from({ length: count }, (_, index) => {
      const object = this.#number(start + index * this.#referenceBytes, this.#referenceBytes);
      return this.#read(object, depth + 1);
    });
  }

  #list(at: number, low: number, depth: number): PlistValue[] {
    const { count, start } = this.#count(at, low);
    return this.#items(start, count, depth);
  }

  #dictionary(at: number, low: number, depth: number): PlistDictionary {
    const { count, start } = this.#count(at, low);
    const keys = this.#items(start, count, depth);
    const values = this.#items(start + count * this.#referenceBytes, count, depth);
    const entries = keys.flatMap((key, index) => (typeof key === 'string' ? [[key, values[index]] as const] : []));
    return new Map(entries);
  }
}
