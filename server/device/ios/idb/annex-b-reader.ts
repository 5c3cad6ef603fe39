import { NAL, nalType } from '../../nal-unit.ts';
import { type AccessUnit, accessUnit } from '../video/access-unit.ts';
import { headOf, type StreamHead } from '../video/avc-configuration.ts';

const START_CODE = Buffer.from([0, 0, 1]);
/** In the second byte of a slice: it begins with the picture's first macroblock. */
const FIRST_MACROBLOCK = 0x80;

/** Units are below this: what goes on without a start code has lost its beginning. */
const UNIT_BYTES_MAX = 16 * 1024 * 1024;

export interface ReadPicture {
  readonly head: StreamHead;
  readonly unit: AccessUnit;
}

/**
 * Puts pictures together out of a stream in Annex B that comes in pieces. Where a picture ends is known by what follows;
 * `flush` says that nothing followed for a while. Throws a `RangeError` for bytes that are no such stream.
 */
export class AnnexBReader {
  #bytes = Buffer.alloc(0);
  #units: Uint8Array[] = [];
  #sets = new Map<number, Uint8Array>();
  #head: StreamHead | undefined;

  push(piece: Uint8Array): ReadPicture[] {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    const pictures: ReadPicture[] = [];
    let begin = this.#bytes.indexOf(START_CODE);
    if (begin < 0 && this.#bytes.length > START_CODE.length) throw new RangeError('the video has no start codes');
    for (;;) {
      const next = begin < 0 ? -1 : this.#bytes.indexOf(START_CODE, begin + START_CODE.length);
      if (next < 0) break;
      pictures.push(...this.#take(this.#bytes.subarray(begin + START_CODE.length, next)));
      begin = next;
    }
    if (begin > 0) this.#bytes = Buffer.from(this.#bytes.subarray(begin));
    if (this.#bytes.length > UNIT_BYTES_MAX) throw new RangeError('a unit of the video has no end');
    return pictures;
  }

  /** The picture that came last, if it is whole. */
  flush(): ReadPicture[] {
    const rest = this.#bytes.subarray(START_CODE.length);
    this.#bytes = Buffer.alloc(0);
    const pictures = rest.length > 0 ? this.#take(rest) : [];
    return [...pictures, ...this.#end()];
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
