import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/** A small picture that Skia draws once and that is then copied row by row, which is much faster. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  /** Premultiplied colour words, row by row. */
  readonly words: Uint32Array;
  /** The rows from this one up to the next one named are known to be opaque; none if both are 0, all from 0 to `height`. */
  readonly opaqueFrom: number;
  readonly opaqueTo: number;
}

/** The coverage of each pixel, 0 to 255, row by row. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly coverage: Uint8Array;
}

export type Draw = (context: SKRSContext2D) => void;

function draw(width: number, height: number, drawing: Draw): Uint8ClampedArray {
  const canvas: Canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.lang = 'en';
  drawing(context);
  return context.getImageData(0, 0, width, height).data;
}

/** Draws a sprite on a transparent background. */
export function drawSprite(width: number, height: number, drawing: Draw): Sprite {
  const bytes = draw(width, height, drawing);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  let opaque = true;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    if (word >>> 24 === 255) continue;
    opaque = false;
    words[index] = premultiplied(word, word >>> 24);
  }
  return { width, height, words, opaqueFrom: 0, opaqueTo: opaque ? height : 0 };
}

/** A colour premultiplied with an alpha of 0 to 255, which becomes its own. */
export function premultiplied(word: number, alpha: number): number {
  const red = Math.round(((word & 0xff) * alpha) / 255);
  const green = Math.round((((word >>> 8) & 0xff) * alpha) / 255);
  const blue = Math.round((((word >>> 16) & 0xff) * alpha) / 255);
  return (alpha << 24) | (blue << 16) | (green << 8) | red;
}

/** Draws a mask from the alpha of a drawing; its colours do not matter. */
export function drawMask(width: number, height: number, drawing: Draw): Mask {
  const bytes = draw(width, height, drawing);
  const coverage = new Uint8Array(width * height);
  for (let index = 0; index < coverage.length; index++) coverage[index] = bytes[index * 4 + 3] ?? 0;
  return { width, height, coverage };
}
