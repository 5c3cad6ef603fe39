import { type AccessUnit, accessUnit } from './access-unit.ts';
import { NAL, nalType } from './nal-unit.ts';
import { headOf, type StreamHead } from './stream-head.ts';

const START_CODE = Buffer.from([0, 0, 1]);
/** In the second byte of a slice: it begins with the picture's first macroblock. */
const FIRST_MACROBLOCK = 0x80;

/** Units are below this: what goes on without a start code has lost its beginning. */
const UNIT_BYTES_MAX = 16 * 1024 * 1024;

export interface ReadPicture {
  readonly head: StreamHead;
  readonly unit: AccessUnit;
  readonly slices: number;
}

/**
 * Puts pictures together out of a stream in Annex B that comes in pieces. Where a picture ends is known by what follows;
 * a caller that knows otherwise that the last one is whole says so by `flush`. Throws a `RangeError` for bytes that are no such stream.
 */
export class AnnexBReader {
  /** The bytes since the start code of the current unit. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** The last bytes, in which a start code may have begun. */
  #seam = Buffer.alloc(0);
  /** True when the stream began with a start code. */
  #begun = false;
  #units: Uint8Array[] = [];
  #sets = new Map<number, Uint8Array>();
  #head: StreamHead | undefined;

  push(piece: Uint8Array): ReadPicture[] {
    this.#pieces.push(Uint8Array.from(piece));
    this.#size += piece.length;
    // Bytes that were searched before are not searched or copied again.
    const searched = Buffer.concat([this.#seam, piece]);
    const found = searched.includes(START_CODE);
    if (!found && !this.#begun && this.#size > START_CODE.length) throw new RangeError('the video has no start codes');
    const pictures = found ? this.#takeWhole() : [];
    this.#seam = Buffer.from(searched.subarray(1 - START_CODE.length));
    if (this.#size > UNIT_BYTES_MAX) throw new RangeError('a unit of the video has no end');
    return pictures;
  }

  /** The picture that came last, as far as it has come; nothing is taken. */
  get last(): ReadPicture | undefined {
    const unit = withoutZeros(this.#rest());
    if (unit.length === 0) return this.#picture(this.#units);
    if (!opensPicture(unit) || !this.#units.some(isSlice)) return this.#picture([...this.#units, unit]);
    return this.#picture([unit]);
  }

  /** The picture that came last. The caller knows that it is whole. */
  flush(): ReadPicture[] {
    const rest = this.#rest();
    this.#keep(Buffer.alloc(0));
    this.#seam = Buffer.alloc(0);
    this.#begun = false;
    const pictures = rest.length > 0 ? this.#take(rest) : [];
    return [...pictures, ...this.#end()];
  }

  /** Units up to the last start code; what follows that stays. */
  #takeWhole(): ReadPicture[] {
    const bytes = Buffer.concat(this.#pieces, this.#size);
    const pictures: ReadPicture[] = [];
    let begin = bytes.indexOf(START_CODE);
    // The rest of a unit whose beginning was taken for all of it.
    if (bytes.subarray(0, begin).some((byte) => byte !== 0))
      throw new RangeError('a unit of the video has no beginning');
    this.#begun = true;
    for (;;) {
      const next = bytes.indexOf(START_CODE, begin + START_CODE.length);
      if (next < 0) break;
      pictures.push(...this.#take(bytes.subarray(begin + START_CODE.length, next)));
      begin = next;
    }
    this.#keep(Buffer.from(bytes.subarray(begin)));
    return pictures;
  }

  /** The bytes since the last start code. */
  #rest(): Buffer {
    return Buffer.concat(this.#pieces).subarray(START_CODE.length);
  }

  #keep(bytes: Buffer): void {
    this.#pieces = [bytes];
    this.#size = bytes.length;
  }

  #take(bytes: Buffer): ReadPicture[] {
    const unit = Uint8Array.from(withoutZeros(bytes));
    if (unit.length === 0) return [];
    const type = nalType(unit);
    const finished = opensPicture(unit) ? this.#end() : [];
    if (type === NAL.sps || type === NAL.pps) {
      this.#sets.set(type, unit);
      this.#head = undefined;
    } else this.#units.push(unit);
    return finished;
  }

  #end(): ReadPicture[] {
    if (!this.#units.some(isSlice)) return [];
    const picture = this.#picture(this.#units);
    this.#units = [];
    return picture ? [picture] : [];
  }

  #picture(units: readonly Uint8Array[]): ReadPicture | undefined {
    const slices = units.filter(isSlice).length;
    const [sps, pps] = [this.#sets.get(NAL.sps), this.#sets.get(NAL.pps)];
    // A stream that is joined in its middle begins with its next parameter sets.
    if (slices === 0 || !sps || !pps) return undefined;
    this.#head ??= headOf([sps, pps]);
    return { head: this.#head, unit: accessUnit(units, this.#head), slices };
  }
}

function isSlice(unit: Uint8Array): boolean {
  const type = nalType(unit);
  return type === NAL.slice || type === NAL.idr;
}

/** True when the picture before has ended where this unit begins. */
const opensPicture = (unit: Uint8Array): boolean => !isSlice(unit) || ((unit[1] ?? 0) & FIRST_MACROBLOCK) !== 0;

/** Zeros behind a unit belong to the next start code, or to nothing. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
