/**
 * The payload of a `tiles` packet (protocol/README.md, section 10.1): tiles to its end, each with a head of 16 bytes,
 * little-endian, and a JPEG.
 *
 * ```text
 *  0 u16 x        4 u16 width      8 u16 left      12 u32 bytes of the JPEG
 *  2 u16 y        6 u16 height    10 u16 top       16 JPEG
 * ```
 */
export const TILE_HEAD_BYTES = 16;

/** An area of the picture, in pixels, and where it lies in the JPEG that shows it. */
export interface TileHead {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pixels of the JPEG to the left of the area and above it. They belong to the picture too, but only so that it decodes exactly. */
  readonly left: number;
  readonly top: number;
}

export interface ScreenTile<Memory extends ArrayBufferLike = ArrayBufferLike> extends TileHead {
  /** A JPEG. */
  readonly image: Uint8Array<Memory>;
}

/** Writes the head of a tile whose JPEG has so many bytes, to be put behind it. */
export function writeTileHead(target: Uint8Array, { x, y, width, height, left, top }: TileHead, bytes: number): void {
  const view = new DataView(target.buffer, target.byteOffset, TILE_HEAD_BYTES);
  for (const [index, value] of [x, y, width, height, left, top].entries()) view.setUint16(index * 2, value, true);
  view.setUint32(12, bytes, true);
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
    const [x, y, width, height, left, top] = [0, 2, 4, 6, 8, 10].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const start = at + TILE_HEAD_BYTES;
    at = start + view.getUint32(at + 12, true);
    if (at > payload.byteLength) return undefined;
    tiles.push({ x, y, width, height, left, top, image: payload.subarray(start, at) as Uint8Array<Memory> });
  }
  return tiles;
}
