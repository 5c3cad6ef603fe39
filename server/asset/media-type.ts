import type { MediaType } from '@runcloud/protocol';

/** As many first bytes as tell what a file is. */
export const TELLING_BYTES = 16;

/** What a picture or a video is, by its first bytes; `undefined` for anything else. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  // ISO/IEC 14496-12, section 4.3: the box with the brand comes first.
  if (text.slice(4, 8) !== 'ftyp') return undefined;
  const brand = text.slice(8, 12);
  if (/^(?:heic|heix|mif1|msf1)$/.test(brand)) return 'image/heic';
  if (brand === 'qt  ') return 'video/quicktime';
  return /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash|MSNV)$/.test(brand) ? 'video/mp4' : undefined;
}
