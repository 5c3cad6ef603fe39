import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/** A small picture that is drawn once by Skia and then copied by rows. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  /** Premultiplied colour words, row by row. */
  readonly words: Uint32Array;
  /** True when every pixel covers the picture below it. */
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

/** Draws a mask of whole pixels: what the drawing covers, whatever its colours. */
export function drawMask(width: number, height: number, drawing: Draw): Mask {
  const bytes = draw(width, height, drawing);
  const coverage = new Uint8Array(width * height);
  for (let index = 0; index < coverage.length; index++) coverage[index] = bytes[index * 4 + 3] ?? 0;
  return { width, height, coverage };
}
