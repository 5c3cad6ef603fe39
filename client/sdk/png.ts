/** PNG, Portable Network Graphics (ISO/IEC 15948): the signature, then chunks of length, type, data and CRC. */

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const CHUNK_OVERHEAD_BYTES = 12;

/** Why these bytes are not one whole PNG; `undefined` when they are. Chunks are walked, pixels are not decoded. */
export function pngFault(bytes: Uint8Array): string | undefined {
  if (SIGNATURE.some((byte, index) => bytes[index] !== byte)) return 'it has no PNG signature';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = SIGNATURE.length;
  let type = '';
  while (position + CHUNK_OVERHEAD_BYTES <= bytes.byteLength) {
    const first = type === '';
    type = String.fromCharCode(...bytes.subarray(position + 4, position + 8));
    if (first !== (type === 'IHDR')) return 'its header is not first';
    position += CHUNK_OVERHEAD_BYTES + view.getUint32(position);
    if (type === 'IEND') break;
  }
  if (type !== 'IEND' || position > bytes.byteLength) return 'it is cut off';
  return position === bytes.byteLength ? undefined : 'bytes follow it';
}
