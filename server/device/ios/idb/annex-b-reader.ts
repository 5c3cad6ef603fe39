import { NAL, nalType } from '../../nal-unit.ts';
import { type AccessUnit, accessUnit } from '../../video/access-unit.ts';
import { headOf, type StreamHead } from '../../video/stream-head.ts';

const START_CODE = Buffer.from([0, 0, 1]);
/** In the second byte of a slice: it begins with the picture's first macroblock. */
const FIRST_MACROBLOCK = 0x80;

/** Units are below this: what goes on without a start code has lost its beginning. */
const UNIT_BYTES_MAX = 16 * 1024 * 1024;

export interface ReadPicture {
  readonly head: StreamHead;
  readonly unit: AccessUnit;
}

/** True when these bytes begin a unit, as every message of a companion that sends whole units does. */
export const beginsUnit = (bytes: Uint8Array): boolean =>
  bytes[0] === 0 && bytes[1] === 0 && (bytes[2] === 1 || (bytes[2] === 0 && bytes[3] === 1));

/**
 * Puts pictures together out of a stream in Annex B that comes in pieces. Where a picture ends is known by what follows;
 * `flush` says that nothing followed for a while. Throws a `RangeError` for bytes that are no such stream.
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

  /** The picture that came last, if it is whole. */
  flush(): ReadPicture[] {
    const rest = Buffer.concat(this.#pieces).subarray(START_CODE.length);
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

  #keep(bytes: Buffer): void {
    this.#pieces = [bytes];
    this.#size = bytes.length;
  }

  #take(bytes: Buffer): ReadPicture[] {
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end--;
    if (end === 0) return [];
    const unit = Uint8Array.from(bytes.subarray(0, end));
    const type = nalType(unit);
    const slice = type === NAL.slice || type === NAL.idr;
    const opens = !slice || ((unit[1] ?? 0) & FIRST_MACROBLOCK) !== 0;
    const finished = opens && this.#hasSlice() ? this.#end() : [];
    if (type === NAL.sps || type === NAL.pps) {
      this.#sets.set(type, unit);
      this.#head = undefined;
    } else this.#units.push(unit);
    return finished;
  }

  #hasSlice(): boolean {
    return this.#units.some((unit) => nalType(unit) === NAL.slice || nalType(unit) === NAL.idr);
  }

  #end(): ReadPicture[] {
    const units = this.#units;
    if (!this.#hasSlice()) return [];
    this.#units = [];
    const [sps, pps] = [this.#sets.get(NAL.sps), this.#sets.get(NAL.pps)];
    // A stream that is joined in its middle begins with its next parameter sets.
    if (!sps || !pps) return [];
    this.#head ??= headOf([sps, pps]);
    return [{ head: this.#head, unit: accessUnit(units, this.#head) }];
  }
}
