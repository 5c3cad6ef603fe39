const SPS = 7;
const NAL_TYPE_MASK = 0x1f;

/** The RFC 6381 name of an Annex B stream, `avc1.PPCCLL`, from the parameter set that its key packet begins with. */
export function codecString(packet: Uint8Array): string {
  const start = packet[2] === 1 ? 3 : 4;
  const header = packet[start] ?? 0;
  if ((header & NAL_TYPE_MASK) !== SPS) throw new Error('the key packet does not begin with an SPS');
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  return `avc1.${[...packet.subarray(start + 1, start + 4)].map(hex).join('')}`;
}
