import type { Orientation } from '@runcloud/protocol';
import type { Picture } from './decoder.ts';

/** Draws each picture on the page's canvas as soon as it is decoded. The canvas has the size of the picture. */
export class Painter {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #onSize: (width: number, height: number, orientation: Orientation) => void;
  #orientation: Orientation | undefined;

  constructor(canvas: HTMLCanvasElement, onSize: (width: number, height: number, orientation: Orientation) => void) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('this browser has no canvas');
    this.canvas = canvas;
    this.#context = context;
    this.#onSize = onSize;
  }

  draw(picture: Picture): void {
    const { width, height, orientation } = picture.header;
    const { canvas } = this;
    if (canvas.width !== width || canvas.height !== height || this.#orientation !== orientation) {
      this.#orientation = orientation;
      // Setting a size clears the canvas, also when it is the same.
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      this.#onSize(width, height, orientation);
    }
    picture.draw(this.#context);
  }
}
