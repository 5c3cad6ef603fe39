import { type AccessUnit, accessUnit } from './access-unit.ts';
import { NAL, nalType } from './nal-unit.ts';
import { headOf, type StreamHead } from './stream-head.ts';

const START_CODE = Buffer.from([0, 0, 1]);
/** Bit in the second byte of a slice that is set if the slice begins with the picture's first macroblock. */
const FIRST_MACROBLOCK = 0x80;

/** Maximum size of a unit. A larger one without a start code is not Annex B. */
const UNIT_BYTES_MAX = 16 * 1024 * 1024;

export interface ReadPicture {
  readonly head: StreamHead;
  readonly unit: AccessUnit;
  readonly slices: number;
}

/**
 * Assembles pictures from the pieces of an Annex B stream. The end of a picture is known only from the unit that follows; a
 * caller that knows that the last picture is complete calls `flush`. Throws a `RangeError` for bytes that are not Annex B.
 */
export class AnnexBReader {
  /** The bytes since the start code of the current unit. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** The last bytes, which may be the beginning of a start code. */
  #seam = Buffer.alloc(0);
  /** True after the first start code. */
  #begun = false;
  #units: Uint8Array[] = [];
  #sets = new Map<number, Uint8Array>();
  #head: StreamHead | undefined;

  push(piece: Uint8Array): ReadPicture[] {
    this.#pieces.push(Uint8Array.from(piece));
    this.#size += piece.length;
    // Searches only the new bytes, so that a large unit in many pieces does not take quadratic time.
    const searched = Buffer.concat([this.#seam, piece]);
    const found = searched.includes(START_CODE);
    if (!found && !this.#begun && this.#size > START_CODE.length) throw new RangeError('the video has no start codes');
    const pictures = found ? this.#takeWhole() : [];
    this.#seam = Buffer.from(searched.subarray(1 - START_CODE.length));
    if (this.#size > UNIT_BYTES_MAX) throw new RangeError('a unit of the video has no end');
    return pictures;
  }

  /** The last picture as far as it has arrived, which may be incomplete. Leaves it in the reader. */
  get last(): ReadPicture | undefined {
    const unit = withoutZeros(this.#rest());
    if (unit.length === 0) return this.#picture(this.#units);
    if (!opensPicture(unit) || !this.#units.some(isSlice)) return this.#picture([...this.#units, unit]);
    return this.#picture([unit]);
  }

  /** Takes the last picture, which the caller knows to be complete. */
  flush(): ReadPicture[] {
    const rest = this.#rest();
    this.#keep(Buffer.alloc(0));
    this.#seam = Buffer.alloc(0);
    this.#begun = false;
    const pictures = rest.length > 0 ? this.#take(rest) : [];
    return [...pictures, ...this.#end()];
  }

  /** Takes the units up to the last start code and keeps the bytes after it. */
  #takeWhole(): ReadPicture[] {
    const bytes = Buffer.concat(this.#pieces, this.#size);
    const pictures: ReadPicture[] = [];
    let begin = bytes.indexOf(START_CODE);
    // After a flush, these would be the rest of a unit whose beginning was taken as complete.
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
    // A stream that is joined in the middle can be decoded from its next parameter sets on.
    if (slices === 0 || !sps || !pps) return undefined;
    this.#head ??= headOf([sps, pps]);
    return { head: this.#head, unit: accessUnit(units, this.#head), slices };
  }
}

function isSlice(unit: Uint8Array): boolean {
  const type = nalType(unit);
  return type === NAL.slice || type === NAL.idr;
}

/** True if this unit begins a new picture. */
const opensPicture = (unit: Uint8Array): boolean => !isSlice(unit) || ((unit[1] ?? 0) & FIRST_MACROBLOCK) !== 0;

/** Removes trailing zeros, which belong to the next start code or are padding. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
