import { readAvcRecord } from './avc-record.ts';
import { avcCodec, NAL, nalType } from './nal-unit.ts';
import { readSps } from './sps.ts';
import { withoutReordering } from './sps-rewrite.ts';

/** The parameters that a decoder needs before the first picture of a stream. */
export interface StreamHead {
  /** Size of the length prefix of a unit: 1, 2 or 4 bytes. */
  readonly lengthBytes: number;
  /** SPS and PPS in Annex B; the SPS declares that pictures are not reordered. */
  readonly parameterSets: Uint8Array;
  /** Codec string as of RFC 6381. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
}

/** Reads the head of a stream from its AVCDecoderConfigurationRecord. Throws a `RangeError` for an invalid one. */
export function readStreamHead(record: Uint8Array): StreamHead {
  const { lengthBytes, sps, pps } = readAvcRecord(record);
  return headOf([...sps, ...pps], lengthBytes);
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

/** Joins units with start codes, in memory of its own. */
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
