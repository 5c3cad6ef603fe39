/** What the peers and controls show of a tap: as Touch Lab does, a mark, two lines across the screen, and three readings. */

/** Of JPEGs: the service's default. */
export const QUALITY = 80;

/** In pixels: that of the virtual iPhone. */
export const SCREEN_SIZE = { width: 590, height: 1_280 } as const;

/** 0xRRGGBB, opaque; the lines as they look on the background, and the edges of text. */
export const SCREEN_COLOURS = {
  ground: 0x10131c,
  tile: 0x1c2130,
  text: 0xf4f6fb,
  edge: 0x888c96,
  line: 0x31343b,
} as const;

/** The mark from its outside to its middle, as it looks on the background. */
export const RINGS = [
  { colour: 0x362334, radius: 39 },
  { colour: 0x70405a, radius: 22 },
  { colour: 0xff6fb5, radius: 8 },
] as const;

/** Where the readings of Touch Lab change, in pixels: two of the place, and the number of taps. */
export const READINGS = [
  { x: 49, y: 256, width: 111, height: 34 },
  { x: 321, y: 256, width: 160, height: 34 },
  { x: 321, y: 370, width: 22, height: 34 },
] as const;
