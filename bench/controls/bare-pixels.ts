import { SCREEN_SIZE } from '../photon/marked-screen.ts';
import { type Area, BarePainter } from './bare-painter.ts';
import type { BareTap } from './bare-screen-messages.ts';

/** The picture of the bare screen as an encoder of JPEGs reads it. */
const { width, height } = SCREEN_SIZE;
const words = new Uint32Array(width * height);

/** RGBA. */
export const pixels: Buffer = Buffer.from(words.buffer);

/** 0xRRGGBB as an opaque word of RGBA, little-endian. */
const word = (colour: number): number =>
  (0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >> 16)) >>> 0;

const painter = new BarePainter(({ x, y, width: columns, height: rows }, colour) => {
  for (let row = y; row < y + rows; row++) words.fill(word(colour), row * width + x, row * width + x + columns);
});

/** Paints a tap, and tells what has changed. */
export const paintTap = (tap: BareTap): Area[] => painter.paint(tap);
