import { NAL, nalType } from './nal-unit.ts';

/** Converts H.264 as it is streamed (Annex B of ITU-T H.264) to H.264 as MP4 stores it (ISO/IEC 14496-15, `avc1`). */

const START_CODE = Buffer.from([0, 0, 1]);
const LENGTH_BYTES = 4;
/** Units that MP4 stores in the track's description or does not need. */
const NOT_IN_SAMPLES: readonly number[] = [NAL.sps, NAL.pps, NAL.accessUnitDelimiter];

/** The parameter sets of one encoder, which a decoder needs before its first picture. */
export interface ParameterSets {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
}

export interface AvcPicture {
  /** The parameter sets at the beginning of a key packet. */
  readonly parameterSets: ParameterSets | undefined;
  /** The other units, each prefixed with its length, as a sample of a track. In memory of its own. */
  readonly sample: Buffer;
}

/** Splits an Annex B packet. Parameter sets are stored once, in the track's description, and not in the samples. */
export function toAvcPicture(packet: Uint8Array): AvcPicture {
  const units = splitUnits(Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength));
  const kept = units.filter((unit) => !NOT_IN_SAMPLES.includes(nalType(unit)));
  const sps = units.find((unit) => nalType(unit) === NAL.sps);
  const pps = units.find((unit) => nalType(unit) === NAL.pps);
  const parts = kept.flatMap((unit) => {
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt32BE(unit.length);
    return [length, unit];
  });
  const parameterSets = sps && pps ? { sps: Buffer.from(sps), pps: Buffer.from(pps) } : undefined;
  return { parameterSets, sample: Buffer.concat(parts) };
}

/** True if the units fill the sample exactly, which they do not in a truncated one. */
export function isWholeSample(sample: Uint8Array): boolean {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  let at = 0;
  while (at + LENGTH_BYTES < sample.length) at += LENGTH_BYTES + view.getUint32(at);
  return at === sample.length && at > 0;
}

/**
 * The AVCDecoderConfigurationRecord of a track (ISO/IEC 14496-15, 5.3.3.1).
 * @param sets at least one; those of further encoders have identifiers of their own
 */
export function avcConfiguration(sets: readonly ParameterSets[]): Buffer {
  const heads = sets.map(({ sps: [, profile = 0, compatibility = 0, level = 0] }) => ({
    profile,
    compatibility,
    level,
  }));
  const { profile = 0 } = heads[0] ?? {};
  // What holds for one of them need not hold for all; a decoder has to be able to decode each.
  const compatibility = heads.reduce((all, head) => all & head.compatibility, 0xff);
  const level = Math.max(...heads.map((head) => head.level));
  const sized = (set: Uint8Array) => [Buffer.from([set.length >> 8, set.length & 0xff]), set];
  // Version 1, lengths of 4 bytes; the reserved bits are ones.
  const head = [1, profile, compatibility, level, 0xfc | (LENGTH_BYTES - 1), 0xe0 | sets.length];
  return Buffer.concat([
    Buffer.from(head),
    ...sets.flatMap(({ sps }) => sized(sps)),
    Buffer.from([sets.length]),
    ...sets.flatMap(({ pps }) => sized(pps)),
  ]);
}

export const sameParameterSets = (one: ParameterSets, other: ParameterSets): boolean =>
  Buffer.compare(one.sps, other.sps) === 0 && Buffer.compare(one.pps, other.pps) === 0;

function splitUnits(packet: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let at = packet.indexOf(START_CODE);
  while (at >= 0) {
    const begin = at + START_CODE.length;
    at = packet.indexOf(START_CODE, begin);
    let end = at < 0 ? packet.length : at;
    // Drops the first zero of a start code of four bytes: no unit ends with a zero.
    while (end > begin && packet[end - 1] === 0) end--;
    if (end > begin) units.push(packet.subarray(begin, end));
  }
  return units;
}
