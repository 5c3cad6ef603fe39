import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/** A small picture that Skia draws once and that is then copied row by row, which is much faster. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  /** Premultiplied colour words, row by row. */
  readonly words: Uint32Array;
  /** True if every pixel is opaque. */
  readonly opaque: boolean;
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
    words[index] = premultiplied(word);
  }
  return { width, height, words, opaque };
}

function premultiplied(word: number): number {
  const alpha = word >>> 24;
  const channel = (shift: number) => Math.round((((word >>> shift) & 0xff) * alpha) / 255) << shift;
  return (alpha << 24) | channel(16) | channel(8) | channel(0);
}

/** Draws a mask from the alpha of a drawing; its colours do not matter. */
export function drawMask(width: number, height: number, drawing: Draw): Mask {
  const bytes = draw(width, height, drawing);
  const coverage = new Uint8Array(width * height);
  for (let index = 0; index < coverage.length; index++) coverage[index] = bytes[index * 4 + 3] ?? 0;
  return { width, height, coverage };
}
