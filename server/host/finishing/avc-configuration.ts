import type { ParameterSets } from '../recording/avc.ts';

const VERSION = 1;
const FIRST_SET_AT = 6;
const COUNT_MASK = 0x1f;

/** The one SPS and the one PPS of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1), as this service writes it. */
export function readAvcConfiguration(record: Buffer): ParameterSets | undefined {
  if (record.length <= FIRST_SET_AT || record[0] !== VERSION) return undefined;
  if (((record[5] ?? 0) & COUNT_MASK) !== 1) return undefined;
  const sps = readSet(record, FIRST_SET_AT);
  if (!sps) return undefined;
  const countAt = FIRST_SET_AT + 2 + sps.length;
  const pps = record[countAt] === 1 ? readSet(record, countAt + 1) : undefined;
  return pps ? { sps, pps } : undefined;
}

function readSet(record: Buffer, at: number): Buffer | undefined {
  if (at + 2 > record.length) return undefined;
  const end = at + 2 + record.readUInt16BE(at);
  return end > record.length || end === at + 2 ? undefined : Buffer.from(record.subarray(at + 2, end));
}
