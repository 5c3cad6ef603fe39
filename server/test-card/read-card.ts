import { bitRects, CARD_COLOURS, type CardRect, cornerRects } from './layout.ts';
import { CARD_BYTES, decodeReadings, type Readings } from './readings.ts';
import type { CardMark } from './test-card.ts';

/** A decoded picture: RGB, three bytes a pixel, row by row. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A card as it is seen in a picture. */
export interface SeenCard {
  /** Where it lies, in pixels of the picture. */
  readonly area: CardRect;
  readonly readings: Readings;
  /** In pixels of the picture, row by row. */
  readonly marks: readonly CardMark[];
}

/** How far each part of a colour may be off: colour management of a display, or a lossy encoding. */
const SLACK = 64;

/**
 * Finds and reads the card of a picture; `undefined` where there is none.
 *
 * @param known where the card was seen before: a soft keyboard hides its lower corners
 */
export function readCard(picture: RgbPicture, known?: CardRect): SeenCard | undefined {
  for (const area of [boundsOf(picture, CARD_COLOURS.corner), known]) {
    if (area === undefined || area.width < 64 || area.height < 64) continue;
    if (area.x + area.width > picture.width || area.y + area.height > picture.height) continue;
    const readings = decodeReadings(bytesAt(picture, area));
    if (readings && (area === known || hasCorners(picture, area))) {
      return { area, readings, marks: marksIn(picture, area) };
    }
  }
  return undefined;
}

/** The smallest rectangle with all pixels of a colour. */
function boundsOf(picture: RgbPicture, colour: number): CardRect | undefined {
  let [left, top, right, bottom] = [picture.width, picture.height, -1, -1];
  eachNear(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, colour, (x, y) => {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    bottom = y;
  });
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function hasCorners(picture: RgbPicture, area: CardRect): boolean {
  return cornerRects(area).every(({ x, y, width, height }) => {
    let found = false;
    const middle = { x: area.x + x + (width >> 1), y: area.y + y + (height >> 1), width: 1, height: 1 };
    eachNear(picture, middle, CARD_COLOURS.corner, () => {
      found = true;
    });
    return found;
  });
}

function bytesAt({ width: row, pixels }: RgbPicture, area: CardRect): Uint8Array {
  const bytes = new Uint8Array(CARD_BYTES);
  for (const [bit, { x, y, width, height }] of bitRects(area).entries()) {
    let light = 0;
    // The middle of a cell, away from edges that an encoding blurs; a mark may lie on some of its pixels.
    for (let down = 1; down <= 3; down++) {
      for (let across = 1; across <= 3; across++) {
        const at = (area.y + y + ((height * down) >> 2)) * row + area.x + x + ((width * across) >> 2);
        light += Number((pixels[at * 3 + 1] ?? 0) > 127);
      }
    }
    if (light > 4) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return bytes;
}

function marksIn(picture: RgbPicture, area: CardRect): CardMark[] {
  const marks: CardMark[] = [];
  for (const [finger, colour] of CARD_COLOURS.fingers.entries()) {
    eachNear(picture, area, colour, (x, y) => marks.push({ finger, x, y }));
  }
  return marks;
}

/** Calls `found` for each pixel near a colour, row by row. Plain arithmetic: a picture has millions of them. */
function eachNear(
  { width: row, pixels }: RgbPicture,
  { x: left, y: top, width, height }: CardRect,
  colour: number,
  found: (x: number, y: number) => void,
): void {
  const red = colour >>> 16;
  const green = (colour >>> 8) & 0xff;
  const blue = colour & 0xff;
  for (let y = top; y < top + height; y++) {
    const start = (y * row + left) * 3;
    const end = start + width * 3;
    for (let at = start; at < end; at += 3) {
      const g = (pixels[at + 1] as number) - green;
      if (g > SLACK || g < -SLACK) continue;
      const r = (pixels[at] as number) - red;
      const b = (pixels[at + 2] as number) - blue;
      if (r > SLACK || r < -SLACK || b > SLACK || b < -SLACK) continue;
      found(left + (at - start) / 3, y);
    }
  }
}
