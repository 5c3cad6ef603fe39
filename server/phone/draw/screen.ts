import type { Orientation } from '@runcloud/protocol';
import type { Picture } from '../../device/driver.ts';
import type { Command } from './command.ts';
import { damageBetween } from './damage.ts';
import { drawCommands } from './raster.ts';
import { type Clip, Surface } from './surface.ts';

/** The commands of a picture, which together cover all of it. */
export interface Frame {
  readonly commands: readonly Command[];
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** The display that it is for; absent on phones with one. */
  readonly display?: string | undefined;
}

/** The framebuffer, which lives as long as its view. Each frame draws only the difference to the frame before. */
export class Screen {
  #memory: Uint32Array;
  #surface: Surface;
  #shown: readonly Command[] | undefined;
  #picture: Picture;

  constructor(width: number, height: number, orientation: Orientation) {
    this.#memory = new Uint32Array(width * height).fill(0xff000000);
    this.#surface = new Surface(width, height, this.#memory);
    this.#picture = {
      pixels: this.#surface.pixels,
      width,
      height,
      orientation,
      version: 0,
      damage: [],
      inputSeq: 0,
    };
  }

  get picture(): Picture {
    return this.#picture;
  }

  /** Forces the next frame to be drawn as a whole. */
  invalidate(): void {
    this.#shown = undefined;
  }

  /** Draws a frame; returns the same picture object if nothing has changed. */
  draw(frame: Frame, inputSeq: number): Picture {
    const { commands, width, height, orientation, display } = frame;
    if (width !== this.#surface.width || height !== this.#surface.height) {
      // Another display; a rotation keeps the number of pixels.
      if (width * height !== this.#memory.length) this.#memory = new Uint32Array(width * height);
      this.#surface = new Surface(width, height, this.#memory);
      this.invalidate();
    }
    const sameDisplay = orientation === this.#picture.orientation && display === this.#picture.display;
    const whole = !sameDisplay || this.#shown === undefined;
    const damage = whole
      ? [{ left: 0, top: 0, right: width, bottom: height }]
      : damageBetween(this.#shown ?? [], commands);
    this.#shown = commands;
    if (damage.length === 0) return this.#picture;
    for (const clip of damage) drawCommands(this.#surface, clip, commands);
    this.#picture = {
      pixels: this.#surface.pixels,
      width,
      height,
      orientation,
      ...(display === undefined ? {} : { display }),
      version: this.#picture.version + 1,
      damage: damage.map(toRect),
      inputSeq,
    };
    return this.#picture;
  }
}

function toRect(clip: Clip) {
  return { x: clip.left, y: clip.top, width: clip.right - clip.left, height: clip.bottom - clip.top };
}
