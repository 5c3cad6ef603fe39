import type { Command, Turn } from './command.ts';
import { blend, type Clip, type Surface, weight } from './surface.ts';

/** Bits behind the point of a place in a source: whole numbers, so that a part that is drawn alone equals the same part of the whole. */
const FRACTION = 16;
const ONE = 1 << FRACTION;
const GROUND = 0xff000000;
/** In radians; what turns by less is nearly at rest, and every pixel counts. */
const FAST_ANGLE = 0.06;

/** The steps through a source for one pixel of the picture to the right and one down, and the place of the picture's first pixel. */
interface Walk {
  readonly x: number;
  readonly xRight: number;
  readonly xDown: number;
  readonly y: number;
  readonly yRight: number;
  readonly yDown: number;
}

function walkThrough({ angle, width, height }: Turn, command: Command, source: Surface): Walk {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const across = (source.width / width) * ONE;
  const along = (source.height / height) * ONE;
  const [left, top] = [0.5 - command.width / 2, 0.5 - command.height / 2];
  return {
    x: Math.round((left * cos + top * sin + width / 2) * across),
    xRight: Math.round(cos * across),
    xDown: Math.round(sin * across),
    y: Math.round((top * cos - left * sin + height / 2) * along),
    yRight: Math.round(-sin * along),
    yDown: Math.round(cos * along),
  };
}

/** Draws two pictures over one another, turned about the middle and stretched to one size; the first one shows through. */
export function fillTurned(surface: Surface, clip: Clip, command: Command, before: Surface, after: Surface): void {
  const turn = command.content as Turn;
  const alpha = weight(command.amount);
  const [old, fresh] = [walkThrough(turn, command, before), walkThrough(turn, command, after)];
  // What turns fast is looked up for two pixels at once.
  const step = Math.abs(turn.angle) > FAST_ANGLE ? 2 : 1;
  const skipped = (clip.left - command.x) % step;
  const right = clip.left - skipped - command.x;
  const found = new Uint32Array(Math.ceil((clip.right - clip.left + skipped) / step));
  for (let y = clip.top; y < clip.bottom; y++) {
    const down = y - command.y;
    const freshPlaces = placesIn(after, fresh, right, down, step);
    const oldPlaces = placesIn(before, old, right, down, step);
    const inside = within({ first: 0, end: found.length }, freshPlaces);
    found.fill(GROUND);
    lookUp(found, inside, freshPlaces);
    if (alpha > 0) blendIn(found, within(inside, oldPlaces), oldPlaces, alpha);
    const row = y * surface.width;
    spread(found, surface.words.subarray(row + clip.left, row + clip.right), step, skipped);
  }
}

/** The places in a source of the pixels of a row: the first one, and the steps to the next. */
interface Places {
  readonly source: Surface;
  readonly x: number;
  readonly y: number;
  readonly xStep: number;
  readonly yStep: number;
}

function placesIn(source: Surface, walk: Walk, right: number, down: number, step: number): Places {
  return {
    source,
    x: walk.x + right * walk.xRight + down * walk.xDown,
    y: walk.y + right * walk.yRight + down * walk.yDown,
    xStep: walk.xRight * step,
    yStep: walk.yRight * step,
  };
}

/** Pixels of a row; `end` is exclusive. */
interface Range {
  readonly first: number;
  readonly end: number;
}

/** The pixels of a range whose places are inside of their source. */
function within(range: Range, { source, x, y, xStep, yStep }: Places): Range {
  return along(along(range, x, xStep, source.width * ONE), y, yStep, source.height * ONE);
}

/** The pixels whose places along one axis are from 0 up to `limit`. */
function along({ first, end }: Range, start: number, step: number, limit: number): Range {
  if (step === 0) return { first, end: start >= 0 && start < limit ? end : first };
  const [from, to] = step > 0 ? [-start, limit - start] : [start - limit + 1, start + 1];
  const pace = Math.abs(step);
  return { first: Math.max(first, Math.ceil(from / pace)), end: Math.min(end, Math.ceil(to / pace)) };
}

function lookUp(row: Uint32Array, { first, end }: Range, places: Places): void {
  const { xStep, yStep } = places;
  const { words, width } = places.source;
  let x = (places.x + first * xStep) | 0;
  let y = (places.y + first * yStep) | 0;
  for (let index = first; index < end; index++) {
    row[index] = words[Math.imul(y >> FRACTION, width) + (x >> FRACTION)] as number;
    x = (x + xStep) | 0;
    y = (y + yStep) | 0;
  }
}

function blendIn(row: Uint32Array, { first, end }: Range, places: Places, alpha: number): void {
  const { xStep, yStep } = places;
  const { words, width } = places.source;
  let x = (places.x + first * xStep) | 0;
  let y = (places.y + first * yStep) | 0;
  for (let index = first; index < end; index++) {
    const over = words[Math.imul(y >> FRACTION, width) + (x >> FRACTION)] as number;
    row[index] = blend(row[index] as number, over, alpha);
    x = (x + xStep) | 0;
    y = (y + yStep) | 0;
  }
}

/** Gives each pixel that was found as many pixels as `step`, but for those that are left of the row. */
function spread(found: Uint32Array, row: Uint32Array, step: number, skipped: number): void {
  if (step === 1) return row.set(found);
  for (let index = 0; index < row.length; index++) row[index] = found[(index + skipped) >> 1] as number;
}
