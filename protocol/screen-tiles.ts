/**
 * The payload of a `tiles` packet (protocol/README.md, section 10.1): tiles to its end, each with a head of 12 bytes,
 * little-endian, and a JPEG.
 *
 * ```text
 *  0 u16 x        4 u16 width      8 u32 bytes of the JPEG
 *  2 u16 y        6 u16 height    12 JPEG
 * ```
 */
export const TILE_HEAD_BYTES = 12;

/** An area of the picture, in pixels. */
export interface TileHead {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ScreenTile<Memory extends ArrayBufferLike = ArrayBufferLike> extends TileHead {
  /** A JPEG with the size of the area. */
  readonly image: Uint8Array<Memory>;
}

/** Writes the head of a tile whose JPEG has so many bytes, to be put behind it. */
export function writeTileHead(target: Uint8Array, { x, y, width, height }: TileHead, bytes: number): void {
  const view = new DataView(target.buffer, target.byteOffset, TILE_HEAD_BYTES);
  view.setUint16(0, x, true);
  view.setUint16(2, y, true);
  view.setUint16(4, width, true);
  view.setUint16(6, height, true);
  view.setUint32(8, bytes, true);
}

/**
 * The tiles of a `tiles` packet in the order in which they are to be drawn: none where nothing has changed. `undefined` when the bytes
 * are no such payload.
 */
export function readTiles<Memory extends ArrayBufferLike>(
  payload: Uint8Array<Memory>,
): ScreenTile<Memory>[] | undefined {
  const tiles: ScreenTile<Memory>[] = [];
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  for (let at = 0; at < payload.byteLength; ) {
    if (at + TILE_HEAD_BYTES > payload.byteLength) return undefined;
    const [x, y] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const [width, height] = [view.getUint16(at + 4, true), view.getUint16(at + 6, true)];
    const start = at + TILE_HEAD_BYTES;
    at = start + view.getUint32(at + 8, true);
    if (at > payload.byteLength) return undefined;
    tiles.push({ x, y, width, height, image: payload.subarray(start, at) as Uint8Array<Memory> });
  }
  return tiles;
}
