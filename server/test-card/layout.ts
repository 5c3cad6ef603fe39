import { CARD_BYTES } from './readings.ts';

/** Where a card of a size has its marks, in its own pixels. The painters and the reader share it. */

/** The path at which a browser is asked for the card, with the nonce as `?n=<0 to 255>`. */
export const CARD_PATH = '/runcloud-test-card';

/** As on the web, 0xRRGGBB. Nothing else on the card has these colours. */
export const CARD_COLOURS = {
  ground: 0x1b2640,
  corner: 0x00ff00,
  one: 0xffffff,
  zero: 0x000000,
  /** The pixels that each finger touched. */
  fingers: [0xff00ff, 0x00ffff],
} as const;

export interface CardRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CardSize {
  readonly width: number;
  readonly height: number;
}

const COLUMNS = 24;

/** A square in each corner: their bounding box is the card. */
export function cornerRects({ width, height }: CardSize): readonly CardRect[] {
  const side = Math.max(4, Math.floor(Math.min(width, height) / 64));
  return [
    [0, 0],
    [width - side, 0],
    [0, height - side],
    [width - side, height - side],
  ].map(([x = 0, y = 0]) => ({ x, y, width: side, height: side }));
}

/** The cell of each bit, the highest bit of the first byte first. */
export function bitRects({ width, height }: CardSize): readonly CardRect[] {
  const side = Math.floor(Math.min(width, height) / 30);
  const left = Math.floor((width - COLUMNS * side) / 2);
  const top = Math.floor(height * 0.25);
  return Array.from({ length: CARD_BYTES * 8 }, (_, bit) => ({
    x: left + (bit % COLUMNS) * side,
    y: top + Math.floor(bit / COLUMNS) * side,
    width: side,
    height: side,
  }));
}

export const bitOf = (bytes: Uint8Array, bit: number): boolean =>
  (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;

/** The nonce of an address that asks for the card; `undefined` for every other address. */
export function cardNonce(address: string): number | undefined {
  const asked = /^https?:\/\/[^/?#]+\/runcloud-test-card\?n=(\d{1,3})$/.exec(address)?.[1];
  return asked === undefined || Number(asked) > 255 ? undefined : Number(asked);
}
