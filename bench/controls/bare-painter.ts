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

/** A digit has the strokes of a seven-segment display, and the size of one in Touch Lab. */
const DIGIT_WIDTH = 22;
const STROKES: readonly Area[] = [
  { x: 3, y: 1, width: 16, height: 5 },
  { x: 15, y: 3, width: 5, height: 14 },
  { x: 15, y: 17, width: 5, height: 14 },
  { x: 3, y: 28, width: 16, height: 5 },
  { x: 2, y: 17, width: 5, height: 14 },
  { x: 2, y: 3, width: 5, height: 14 },
  { x: 3, y: 15, width: 16, height: 5 },
];
/** The strokes of 0 to 9, the first in the lowest bit. */
const LIT = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f] as const;

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

  /** As many digits as fit, which all change with each tap. */
  #paintReading(area: Area): void {
    this.#fill(area, SCREEN_COLOURS.tile);
    for (let at = 0; (at + 1) * DIGIT_WIDTH <= area.width; at++) {
      const lit = LIT[(this.#taps * (2 * at + 1) + at) % LIT.length] ?? 0;
      const x = area.x + at * DIGIT_WIDTH;
      for (const [index, stroke] of STROKES.entries()) {
        if ((lit >> index) & 1) this.#paintStroke({ ...stroke, x: x + stroke.x, y: area.y + stroke.y });
      }
    }
  }

  /** With soft edges, as text has. */
  #paintStroke({ x, y, width: columns, height: rows }: Area): void {
    this.#fill({ x, y, width: columns, height: rows }, SCREEN_COLOURS.edge);
    this.#fill({ x: x + 1, y: y + 1, width: columns - 2, height: rows - 2 }, SCREEN_COLOURS.text);
  }
}
