import { PackageFault } from '../archive/package-fault.ts';

/** Little-endian numbers of a hostile buffer: every read outside of it is a fault of the package. */
export class ByteReader {
  readonly bytes: Buffer;
  /** Named in faults, such as "AndroidManifest.xml". */
  readonly what: string;

  constructor(bytes: Buffer, what: string) {
    this.bytes = bytes;
    this.what = what;
  }

  get size(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    this.#expect(at, 1);
    return this.bytes.readUInt8(at);
  }

  u16(at: number): number {
    this.#expect(at, 2);
    return this.bytes.readUInt16LE(at);
  }

  u32(at: number): number {
    this.#expect(at, 4);
    return this.bytes.readUInt32LE(at);
  }

  slice(at: number, length: number): Buffer {
    this.#expect(at, length);
    return this.bytes.subarray(at, at + length);
  }

  #expect(at: number, length: number): void {
    if (at < 0 || length < 0 || at + length > this.bytes.length) {
      throw new PackageFault(`${this.what} ends in the middle of something it promises.`);
    }
  }
}
