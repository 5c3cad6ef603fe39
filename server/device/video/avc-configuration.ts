import { avcCodec, NAL, nalType } from '../nal-unit.ts';
import { readSps } from './sps.ts';
import { withoutReordering } from './sps-rewrite.ts';

/** What a decoder has to know before the first picture of a stream. */
export interface StreamHead {
  /** Bytes that tell the length of a unit: 1, 2 or 4. */
  readonly lengthBytes: number;
  /** SPS and PPS in Annex B, the SPS with its word about reordering. */
  readonly parameterSets: Uint8Array;
  /** RFC 6381. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
}

const HEAD_BYTES = 6;
const LENGTH_MASK = 3;
const COUNT_MASK = 0x1f;

/** Reads an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1). Throws a `RangeError` for a senseless one. */
export function readAvcConfiguration(record: Uint8Array): StreamHead {
  if (record.length < HEAD_BYTES || record[0] !== 1) throw new RangeError('this is no decoder configuration');
  const lengthBytes = ((record[4] ?? 0) & LENGTH_MASK) + 1;
  if (lengthBytes === 3) throw new RangeError('units cannot have lengths of three bytes');
  let at = HEAD_BYTES - 1;
  const sets: Uint8Array[] = [];
  for (const [type, mask] of [
    [NAL.sps, COUNT_MASK],
    [NAL.pps, 0xff],
  ] as const) {
    const count = (record[at++] ?? 0) & mask;
    if (count === 0) throw new RangeError('the decoder configuration lacks a parameter set');
    for (let index = 0; index < count; index++) {
      const length = ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
      const set = record.subarray(at + 2, at + 2 + length);
      if (set.length !== length || nalType(set) !== type) {
        throw new RangeError('a parameter set of the decoder configuration is cut or misplaced');
      }
      sets.push(set);
      at += 2 + length;
    }
  }
  return headOf(sets, lengthBytes);
}

/** @param sets at least one SPS, in their order */
export function headOf(sets: readonly Uint8Array[], lengthBytes = 4): StreamHead {
  const first = sets.find((set) => nalType(set) === NAL.sps);
  if (!first) throw new RangeError('there is no sequence parameter set');
  const { width, height } = readSps(first);
  const corrected = sets.map((set) => (nalType(set) === NAL.sps ? withoutReordering(set) : set));
  return { lengthBytes, parameterSets: annexB(corrected), codec: avcCodec(first), width, height };
}

const START_CODE = Uint8Array.of(0, 0, 0, 1);

/** Units behind start codes, in memory of their own. */
export function annexB(units: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(units.reduce((sum, unit) => sum + START_CODE.length + unit.length, 0));
  let at = 0;
  for (const unit of units) {
    bytes.set(START_CODE, at);
    bytes.set(unit, at + START_CODE.length);
    at += START_CODE.length + unit.length;
  }
  return bytes;
}
