import { READINGS, RINGS, SCREEN_COLOURS, SCREEN_SIZE } from '../photon/marked-screen.ts';
import type { BareTap } from './bare-screen-messages.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fills an area of a picture with a colour, 0xRRGGBB. */
export type Fill = (area: Area, colour: number) => void;

const { width, height } = SCREEN_SIZE;
export const WHOLE_AREA: Area = { x: 0, y: 0, width, height };

const linesAt = ({ x, y }: BareTap): Area[] => [
  { x, y: 0, width: 1, height },
  { x: 0, y, width, height: 1 },
];

function markAt({ x, y }: BareTap): Area {
  const { radius } = RINGS[0];
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

/** The device of the bare screen: paints what a tap shows, in whatever form the picture has. */
export class BarePainter {
  readonly #fill: Fill;
  #last: BareTap | undefined;
  #taps = 0;

  constructor(fill: Fill) {
    this.#fill = fill;
    fill(WHOLE_AREA, SCREEN_COLOURS.ground);
  }

  /** Paints a tap, and tells what has changed. */
  paint(tap: BareTap): Area[] {
    const changed = [...READINGS, markAt(tap), ...linesAt(tap)];
    if (this.#last) {
      for (const area of [markAt(this.#last), ...linesAt(this.#last)]) {
        this.#fill(area, SCREEN_COLOURS.ground);
        changed.push(area);
      }
    }
    this.#last = tap;
    this.#taps++;
    for (const area of linesAt(tap)) this.#fill(area, SCREEN_COLOURS.line);
    for (const area of READINGS) this.#paintReading(area);
    for (const { colour, radius } of RINGS) this.#fillCircle(tap, radius, colour);
    return changed;
  }

  #fillCircle({ x, y }: BareTap, radius: number, colour: number): void {
    for (let row = -radius; row < radius; row++) {
      const half = Math.floor(Math.sqrt(radius * radius - row * row));
      this.#fill({ x: x - half, y: y + row, width: 2 * half, height: 1 }, colour);
    }
  }

  /** Strokes as wide and as far apart as those of digits. */
  #paintReading(area: Area): void {
    this.#fill(area, SCREEN_COLOURS.tile);
    for (let stroke = 0; stroke * 6 + 2 < area.width; stroke++) {
      if ((this.#taps >> (stroke % 8)) & 1) {
        this.#fill({ ...area, x: area.x + stroke * 6, width: 2 }, SCREEN_COLOURS.text);
      }
    }
  }
}
