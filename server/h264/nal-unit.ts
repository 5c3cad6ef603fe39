/** Types of the units of an H.264 stream, in their first byte (ITU-T H.264, 7.3.1 and table 7-1). */
export const NAL = { slice: 1, idr: 5, sps: 7, pps: 8, accessUnitDelimiter: 9, filler: 12 } as const;

const TYPE_MASK = 0x1f;

/** The type of a unit without its start code or length; 0 for an empty one. */
export const nalType = (unit: Uint8Array): number => (unit[0] ?? 0) & TYPE_MASK;

/** The RFC 6381 codec string, `avc1.PPCCLL`, of a stream with this sequence parameter set. */
export const avcCodec = (sps: Uint8Array): string => `avc1.${Buffer.from(sps.subarray(1, 4)).toString('hex')}`;
