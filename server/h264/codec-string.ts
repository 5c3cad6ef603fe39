import { avcCodec, NAL, nalType } from './nal-unit.ts';

/** The RFC 6381 codec string of an Annex B stream, from the parameter set at the beginning of its key packet. */
export function codecString(packet: Uint8Array): string {
  const first = packet.subarray(packet[2] === 1 ? 3 : 4);
  if (nalType(first) !== NAL.sps) throw new Error('the key packet does not begin with an SPS');
  return avcCodec(first);
}
