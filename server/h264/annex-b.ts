const START_CODE = Buffer.from([0, 0, 1]);

/**
 * The units of a complete payload in Annex B (ITU-T H.264, B.1), as views of its memory. Throws a `RangeError` for bytes
 * that do not begin with a start code.
 */
export function unitsOf(payload: Buffer): Uint8Array[] {
  const units: Uint8Array[] = [];
  let begin = payload.indexOf(START_CODE);
  if (begin < 0 || begin > 1 || (begin === 1 && payload[0] !== 0)) throw new RangeError('the video has no start codes');
  while (begin >= 0) {
    const next = payload.indexOf(START_CODE, begin + START_CODE.length);
    let end = next < 0 ? payload.length : next;
    while (end > begin + START_CODE.length && payload[end - 1] === 0) end--;
    if (end > begin + START_CODE.length) units.push(payload.subarray(begin + START_CODE.length, end));
    begin = next;
  }
  return units;
}
