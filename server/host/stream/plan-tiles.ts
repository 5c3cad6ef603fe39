import type { Rect } from '../../device/driver.ts';
import { FULL_CHROMA } from './chroma.ts';
import type { Size } from './fit.ts';

const BLOCK = FULL_CHROMA.blockPixels;
/** Areas are joined where that adds at most so many blocks: the tables of a tile and the call that makes it cost as much as some 30. */
const JOIN_BLOCKS_MAX = 30;
/** Of more areas, and of more than this share of the picture, the whole is encoded: that uses both processors. */
const AREAS_MAX = 64;
const SHARE_MAX = 0.5;

/** Blocks from (left, top) up to, not including, (right, bottom). */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The tiles that show what changed, so that a picture on which they are drawn is, to the pixel, what a JPEG of the whole picture shows:
 * they lie on the blocks of the whole, whose colours no decoder blends. `undefined` if it is better to encode the whole picture.
 */
export function planTiles(changed: readonly Rect[], { width, height }: Size): Rect[] | undefined {
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
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
  const blocks = areas.reduce((sum, area) => sum + blocksOf(area), 0);
  if (blocks > columns * rows * SHARE_MAX) return undefined;
  return areas.map(({ left, top, right, bottom }) => {
    const [x, y] = [left * BLOCK, top * BLOCK];
    return { x, y, width: Math.min(width, right * BLOCK) - x, height: Math.min(height, bottom * BLOCK) - y };
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
