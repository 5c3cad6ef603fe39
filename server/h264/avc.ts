import { NAL, nalType } from './nal-unit.ts';

/** H.264 as sockets carry it (Annex B of ITU-T H.264) turned into H.264 as MP4 stores it (ISO/IEC 14496-15, `avc1`). */

const START_CODE = Buffer.from([0, 0, 1]);
const LENGTH_BYTES = 4;
/** Units that the track carries elsewhere or implies. */
const NOT_IN_SAMPLES: readonly number[] = [NAL.sps, NAL.pps, NAL.accessUnitDelimiter];

/** The parameter sets that a decoder needs before the first picture. */
export interface ParameterSets {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
}

export interface AvcPicture {
  /** The units that key packets begin with. */
  readonly parameterSets: ParameterSets | undefined;
  /** The rest, each unit behind its length: a sample of a track. In memory of its own. */
  readonly sample: Buffer;
}

/** Splits an Annex B packet. Parameter sets stand once in the track's description, and so not in its samples. */
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

/** True when the units fill the sample exactly. A truncated sample does not end where a unit ends. */
export function isWholeSample(sample: Uint8Array): boolean {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  let at = 0;
  while (at + LENGTH_BYTES < sample.length) at += LENGTH_BYTES + view.getUint32(at);
  return at === sample.length && at > 0;
}

/** The AVCDecoderConfigurationRecord of a track (ISO/IEC 14496-15, 5.3.3.1). */
export function avcConfiguration({ sps, pps }: ParameterSets): Buffer {
  const [, profile = 0, compatibility = 0, level = 0] = sps;
  const size = (set: Uint8Array) => [set.length >> 8, set.length & 0xff];
  // Version 1; lengths of 4 bytes; one set of each kind. The ones around them are reserved bits.
  const head = [1, profile, compatibility, level, 0xfc | (LENGTH_BYTES - 1), 0xe0 | 1, ...size(sps)];
  return Buffer.concat([Buffer.from(head), sps, Buffer.from([1, ...size(pps)]), pps]);
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
    // The first zero of a start code of four bytes; no unit ends with a zero.
    while (end > begin && packet[end - 1] === 0) end--;
    if (end > begin) units.push(packet.subarray(begin, end));
  }
  return units;
}
