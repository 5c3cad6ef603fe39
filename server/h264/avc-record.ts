import { NAL, nalType } from './nal-unit.ts';

/** The content of an AVCDecoderConfigurationRecord. */
export interface AvcRecord {
  /** Size of the length prefix of a unit: 1, 2 or 4 bytes. */
  readonly lengthBytes: number;
  /** At least one of each, without start codes, as views of the record's memory. */
  readonly sps: readonly Uint8Array[];
  readonly pps: readonly Uint8Array[];
}

const HEAD_BYTES = 6;
const VERSION = 1;
const LENGTH_MASK = 3;
const SPS_COUNT_MASK = 0x1f;
const PPS_COUNT_MASK = 0xff;

/** Reads an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1). Throws a `RangeError` for an invalid one. */
export function readAvcRecord(record: Uint8Array): AvcRecord {
  if (record.length < HEAD_BYTES || record[0] !== VERSION) throw new RangeError('this is no decoder configuration');
  const lengthBytes = ((record[4] ?? 0) & LENGTH_MASK) + 1;
  if (lengthBytes === 3) throw new RangeError('units cannot have lengths of three bytes');
  let at = HEAD_BYTES - 1;
  const take = (type: number, countMask: number): Uint8Array[] => {
    const count = (record[at++] ?? 0) & countMask;
    if (count === 0) throw new RangeError('the decoder configuration lacks a parameter set');
    return Array.from({ length: count }, () => {
      const length = ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
      const set = record.subarray(at + 2, at + 2 + length);
      if (set.length !== length || nalType(set) !== type) {
        throw new RangeError('a parameter set of the decoder configuration is cut or misplaced');
      }
      at += 2 + length;
      return set;
    });
  };
  const sps = take(NAL.sps, SPS_COUNT_MASK);
  return { lengthBytes, sps, pps: take(NAL.pps, PPS_COUNT_MASK) };
}
