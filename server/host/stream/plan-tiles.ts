import type { TileHead } from '@runcloud/protocol/terms';
import type { Rect } from '../../device/driver.ts';
import type { Size } from './fit.ts';

/** Pixels of a coded block of 4:2:0, each way: JPEG codes each of them without looking at its neighbours (T.81, A.2). */
const BLOCK = 16;
/** Decoders blend the colours of neighbouring blocks, which changes the pixels next to a changed block too. */
const BLENDED = 1;
/** Areas are joined where that adds at most so many blocks: each tile has 600 bytes of tables, as much as some 16 blocks. */
const JOIN_BLOCKS_MAX = 16;
/** Of more areas, and of more than this share of the picture, the whole is encoded: that uses both processors. */
const AREAS_MAX = 64;
const SHARE_MAX = 0.5;

/** A tile: the area that is drawn, and the part of the picture that is encoded for it. */
export interface PlannedTile {
  readonly head: TileHead;
  readonly coded: Rect;
}

/** Blocks from (left, top) up to, not including, (right, bottom). */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The tiles that show what changed, so that a picture on which they are drawn is, to the pixel, what a JPEG of the whole picture shows:
 * they lie on the blocks of the whole, and each is encoded with the blocks around it, whose colours reach into it when it is decoded.
 * `undefined` if it is better to encode the whole picture.
 */
export function planTiles(changed: readonly Rect[], size: Size): PlannedTile[] | undefined {
  const columns = Math.ceil(size.width / BLOCK);
  const rows = Math.ceil(size.height / BLOCK);
  const areas: Area[] = [];
  for (const rect of changed) {
    if (rect.width <= 0 || rect.height <= 0) continue;
    const area = {
      left: Math.max(0, Math.floor(rect.x / BLOCK)),
      top: Math.max(0, Math.floor(rect.y / BLOCK)),
      right: Math.min(columns, Math.ceil((rect.x + rect.width) / BLOCK)),
      bottom: Math.min(rows, Math.ceil((rect.y + rect.height) / BLOCK)),
    };
    if (blocksOf(area) > 0) join(areas, area);
    if (areas.length > AREAS_MAX) return undefined;
  }
  const tiles = areas.map((area) => {
    const coded = {
      left: Math.max(0, area.left - 1),
      top: Math.max(0, area.top - 1),
      right: Math.min(columns, area.right + 1),
      bottom: Math.min(rows, area.bottom + 1),
    };
    return { area, coded };
  });
  const blocks = tiles.reduce((sum, { coded }) => sum + blocksOf(coded), 0);
  if (blocks > columns * rows * SHARE_MAX) return undefined;
  return tiles.map((tile) => {
    const coded = pixelsOf(tile.coded, size, 0);
    const { x, y, width, height } = pixelsOf(tile.area, size, BLENDED);
    return { coded, head: { x, y, width, height, left: x - coded.x, top: y - coded.y } };
  });
}

/** Adds an area, joined with all those that lie near enough. */
function join(areas: Area[], area: Area): void {
  let joined = area;
  for (let index = 0; index < areas.length; ) {
    const other = areas[index] as Area;
    const both = {
      left: Math.min(joined.left, other.left),
      top: Math.min(joined.top, other.top),
      right: Math.max(joined.right, other.right),
      bottom: Math.max(joined.bottom, other.bottom),
    };
    if (blocksOf(both) > blocksOf(joined) + blocksOf(other) + JOIN_BLOCKS_MAX) index++;
    else {
      joined = both;
      areas.splice(index, 1);
      // The larger one may lie near those that were passed.
      index = 0;
    }
  }
  areas.push(joined);
}

const blocksOf = ({ left, top, right, bottom }: Area): number => Math.max(0, right - left) * Math.max(0, bottom - top);

/** An area in pixels with so many around it, as far as there are any. */
function pixelsOf({ left, top, right, bottom }: Area, { width, height }: Size, around: number): Rect {
  const x = Math.max(0, left * BLOCK - around);
  const y = Math.max(0, top * BLOCK - around);
  return {
    x,
    y,
    width: Math.min(width, right * BLOCK + around) - x,
    height: Math.min(height, bottom * BLOCK + around) - y,
  };
}
