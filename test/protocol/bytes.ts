/** Hand-made MessagePack for the tests of what no encoder would write. */

/** Bytes, lists of bytes and ASCII text, one after the other. */
export function bytesOf(...parts: (number | string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  );
}

/** A message of `depth` containers within each other, the outermost a map. */
export function nested(depth: number, kind: 'list' | 'map'): Uint8Array {
  const inner = kind === 'list' ? [0x91] : [0x81, 0xa1, 0x61];
  const levels: number[] = [];
  for (let level = 1; level < depth; level++) levels.push(...inner);
  return Uint8Array.from([0x81, 0xa1, 0x61, ...levels, 0xc0]);
}
