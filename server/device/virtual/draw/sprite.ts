import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/** A small picture that is drawn once by Skia and then copied by rows. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  /** Premultiplied colour words, row by row. */
  readonly words: Uint32Array;
  /** Whether every pixel covers what is below it. */
  readonly opaque: boolean;
}

/** How much of a colour each pixel takes, 0 to 255, row by row. */
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

/** Draws a sprite of whole pixels; the drawing starts transparent. */
export function drawSprite(width: number, height: number, drawing: Draw): Sprite {
  const bytes = draw(width, height, drawing);
  const words = new Uint32Array(width * height);
  let opaque = true;
  for (let index = 0; index < words.length; index++) {
    const at = index * 4;
    const alpha = bytes[at + 3] ?? 0;
    const red = Math.round(((bytes[at] ?? 0) * alpha) / 255);
    const green = Math.round(((bytes[at + 1] ?? 0) * alpha) / 255);
    const blue = Math.round(((bytes[at + 2] ?? 0) * alpha) / 255);
    if (alpha !== 255) opaque = false;
    words[index] = (alpha << 24) | (blue << 16) | (green << 8) | red;
  }
  return { width, height, words, opaque };
}

/** Draws a mask of whole pixels: what the drawing covers, whatever its colours. */
export function drawMask(width: number, height: number, drawing: Draw): Mask {
  const bytes = draw(width, height, drawing);
  const coverage = new Uint8Array(width * height);
  for (let index = 0; index < coverage.length; index++) coverage[index] = bytes[index * 4 + 3] ?? 0;
  return { width, height, coverage };
}
