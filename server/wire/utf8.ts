/** Whether the bytes from `start` to `end` are UTF-8 (RFC 3629): the shortest form, no surrogates, at most U+10FFFF. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let position = start;
  while (position < end) {
    const lead = bytes[position++] ?? 0;
    if (lead < 0x80) continue;
    const following = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
    if (following === 0 || position + following > end) return false;
    const second = bytes[position] ?? 0;
    if (second < lowestSecond(lead) || second > highestSecond(lead)) return false;
    for (let index = 1; index < following; index++) {
      if (((bytes[position + index] ?? 0) & 0xc0) !== 0x80) return false;
    }
    position += following;
  }
  return true;
}

/** Below it a shorter form of the same character would exist. */
function lowestSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
}

/** Above it lie the surrogates, and what Unicode does not have. */
function highestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
}
