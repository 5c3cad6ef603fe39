import type { Rect } from '../../device/driver.ts';
import { type Colour, colour, faded } from '../draw/colour.ts';
import type { Dots } from '../draw/command.ts';
import type { Scene } from '../draw/scene.ts';
import type { Mask } from '../draw/sprite.ts';
import { drawMask } from '../draw/sprite.ts';
import { distance, type Pixel } from '../geometry.ts';
import type { SavedTrail } from '../saved-state.ts';

/** Nothing else on the phone has these colours, so a test can find exactly the pixel that was touched. */
export const MARKER_COLOURS: readonly Colour[] = [colour(0xff00ff), colour(0x00ffff)];

const LINE_COLOURS: readonly Colour[] = [colour(0xff6fb5), colour(0x6fd6ff)];
/** Steps of a movement that stay visible. */
const STEPS_MAX = 256;

const PIXEL: Mask = { width: 1, height: 1, coverage: Uint8Array.of(255) };

interface Step {
  readonly from: Pixel;
  readonly line: Dots;
  readonly bounds: Rect;
  readonly at: Pixel;
}

/** The visible path of one pointer: a line of dots, and a single marked pixel for each step. */
export class Trail {
  readonly #index: number;
  readonly #dot: Mask;
  readonly #ring: number;
  #steps: Step[] = [];

  /** `size` is the width of the line in pixels, `ring` the radius of the circle around its end. */
  constructor(index: number, size: number, ring: number) {
    this.#index = index;
    this.#ring = ring;
    this.#dot = drawMask(size, size, (context) => {
      context.arc(size / 2, size / 2, size / 2, 0, Math.PI * 2);
      context.fill();
    });
  }

  clear(): void {
    this.#steps = [];
  }

  save(): SavedTrail {
    const [first] = this.#steps;
    return first ? [first.from, ...this.#steps.map(({ at }) => at)].map(({ x, y }) => ({ x, y })) : [];
  }

  /** @param saved where the line begins, and the places since */
  restore([begin, ...places]: SavedTrail): void {
    this.clear();
    let from = begin;
    for (const at of places) {
      this.#step(from ?? at, at);
      from = at;
    }
  }

  add(at: Pixel): void {
    this.#step(this.#steps.at(-1)?.at ?? at, at);
  }

  #step(from: Pixel, at: Pixel): void {
    const half = Math.floor(this.#dot.width / 2);
    const count = Math.max(1, Math.ceil(distance(from, at) / (this.#dot.width / 3)));
    const places: number[] = [];
    for (let step = 1; step <= count; step++) {
      places.push(Math.round(from.x + ((at.x - from.x) * step) / count) - half);
      places.push(Math.round(from.y + ((at.y - from.y) * step) / count) - half);
    }
    const left = Math.min(from.x, at.x) - half;
    const top = Math.min(from.y, at.y) - half;
    const bounds = {
      x: left,
      y: top,
      width: Math.abs(at.x - from.x) + this.#dot.width,
      height: Math.abs(at.y - from.y) + this.#dot.width,
    };
    this.#steps.push({ from, line: { mask: this.#dot, places }, bounds, at });
    if (this.#steps.length > STEPS_MAX) this.#steps.shift();
  }

  paint(scene: Scene): void {
    const last = this.#steps.at(-1);
    const line = LINE_COLOURS[this.#index] ?? colour(0xffffff);
    if (!last) return;
    scene.circle(last.at, this.#ring, faded(line, 0.16));
    scene.circle(last.at, Math.round(this.#ring * 0.55), faded(line, 0.28));
    for (const step of this.#steps) scene.dots(step.line, step.bounds, line);
  }

  /** Marks the pixels that were touched. Paint it last, so that nothing covers them. */
  paintMarkers(scene: Scene): void {
    const marker = MARKER_COLOURS[this.#index] ?? colour(0xffffff);
    for (const { at } of this.#steps) scene.mask(PIXEL, at.x, at.y, marker);
  }
}
