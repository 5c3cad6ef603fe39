import type { Point } from '../../client/sdk/types.ts';
import { WebDriverFailure } from './failure.ts';
import { Fields } from './fields.ts';

/** One state of the fingers of a gesture, and the time until the next one. */
export interface Step {
  readonly phase: 'begin' | 'move' | 'end';
  readonly points: readonly Point[];
  readonly delayMs: number;
}

/** What actions come to, in order: gestures of one or two fingers, keys, and pauses between them. */
export type Deed =
  | { readonly kind: 'gesture'; readonly steps: readonly Step[] }
  | { readonly kind: 'key'; readonly down: boolean; readonly value: string }
  | { readonly kind: 'pause'; readonly ms: number };

/** A place on the display, in the platform's unit. */
export interface Places {
  readonly width: number;
  readonly height: number;
  /** Where the middle of an element is. */
  readonly middle: (origin: unknown) => Point | undefined;
}

const MOVE_MS = 16;
const FINGERS_MAX = 2;
const PAUSE_MS_MAX = 60_000;

interface Finger {
  at: Point;
  isDown: boolean;
}

/**
 * Reads the actions of W3C WebDriver (section 17): ticks of all sources at the same time. Fingers that are down together have to go
 * down and up in the same tick, as gestures of the service do.
 */
export function deedsOf(sources: readonly unknown[], places: Places): readonly Deed[] {
  const all = sources.map((source, index) => new Fields(source, `actions[${index}]`));
  const lists = all.map((source) => ({ type: source.text('type'), ticks: source.list('actions') }));
  const count = Math.max(0, ...lists.map(({ ticks }) => ticks.length));
  const reader = new Reader(places, lists.length);
  for (let tick = 0; tick < count; tick++) {
    const now = lists.flatMap(({ type, ticks }, source) =>
      ticks[tick] === undefined
        ? []
        : [{ type, source, fields: new Fields(ticks[tick], `actions[${source}].actions[${tick}]`) }],
    );
    reader.tick(now);
  }
  return reader.end();
}

interface Item {
  readonly type: string;
  readonly source: number;
  readonly fields: Fields;
}

class Reader {
  readonly #places: Places;
  readonly #fingers: Finger[];
  readonly #deeds: Deed[] = [];
  #steps: Step[] = [];

  constructor(places: Places, sources: number) {
    this.#places = places;
    this.#fingers = Array.from({ length: sources }, () => ({ at: { x: 0, y: 0 }, isDown: false }));
  }

  tick(items: readonly Item[]): void {
    const moves = new Map<number, Point>();
    const changes: { readonly source: number; readonly down: boolean }[] = [];
    let ms = 0;
    for (const { type, source, fields } of items) {
      const what = fields.text('type');
      if (type !== 'pointer' && type !== 'key' && type !== 'none') throw noType(type);
      if (what === 'pause' || what === 'pointerMove') {
        ms = Math.max(ms, fields.maybe('duration', (at, name) => at.number(name, 0, PAUSE_MS_MAX)) ?? 0);
      }
      if (what === 'pointerMove') moves.set(source, this.#placeOf(fields, this.#fingers[source]?.at));
      else if (what === 'pointerDown' || what === 'pointerUp') changes.push({ source, down: what === 'pointerDown' });
      else if (what === 'keyDown' || what === 'keyUp') {
        this.#deeds.push({ kind: 'key', down: what === 'keyDown', value: fields.text('value') });
      } else if (what !== 'pause') throw noType(what);
    }
    this.#moved(moves, ms);
    if (changes.length > 0) this.#changed(changes);
  }

  end(): readonly Deed[] {
    if (this.#down.length === 0) return this.#deeds;
    throw new WebDriverFailure(
      'unsupported operation',
      'A finger is still down at the end of the actions: lift it in them.',
    );
  }

  get #down(): readonly Finger[] {
    return this.#fingers.filter(({ isDown }) => isDown);
  }

  #moved(moves: ReadonlyMap<number, Point>, ms: number): void {
    const before = this.#fingers.map(({ at }) => at);
    const isDrawn = [...moves.keys()].some((source) => this.#fingers[source]?.isDown);
    const count = isDrawn ? Math.max(1, Math.round(ms / MOVE_MS)) : 1;
    for (let step = 1; step <= count; step++) {
      for (const [source, to] of moves) {
        const [finger, from] = [this.#fingers[source], before[source]];
        if (finger && from) finger.at = between(from, to, step / count);
      }
      if (isDrawn) {
        this.#wait(ms / count);
        this.#steps.push({ phase: 'move', points: this.#points, delayMs: 0 });
      }
    }
    if (!isDrawn && ms > 0) this.#wait(ms);
  }

  /** A pause belongs to the last step of a gesture, or stands by itself. */
  #wait(ms: number): void {
    const last = this.#steps.pop();
    if (last) this.#steps.push({ ...last, delayMs: last.delayMs + Math.round(ms) });
    else this.#deeds.push({ kind: 'pause', ms });
  }

  #changed(changes: readonly { readonly source: number; readonly down: boolean }[]): void {
    const wasDown = this.#down.length;
    if (wasDown > 0) {
      const lifted = new Set(changes.filter(({ down }) => !down).map(({ source }) => source));
      if (lifted.size !== wasDown || changes.some(({ down }) => down)) throw notTogether();
      this.#steps.push({ phase: 'end', points: this.#points, delayMs: 0 });
      for (const finger of this.#fingers) finger.isDown = false;
      this.#deeds.push({ kind: 'gesture', steps: this.#steps });
      this.#steps = [];
      return;
    }
    for (const { source, down } of changes) {
      const finger = this.#fingers[source];
      // An up without a down says nothing.
      if (finger) finger.isDown = down;
    }
    const down = this.#down.length;
    if (down > FINGERS_MAX) throw new WebDriverFailure('unsupported operation', 'A gesture has one or two fingers.');
    if (down > 0) this.#steps.push({ phase: 'begin', points: this.#points, delayMs: 0 });
  }

  get #points(): readonly Point[] {
    return this.#down.map(({ at }) => at);
  }

  /** In fractions of the display. */
  #placeOf(fields: Fields, now: Point | undefined): Point {
    const { width, height, middle } = this.#places;
    const by = { x: fields.number('x') / width, y: fields.number('y') / height };
    const origin = fields.raw('origin') ?? 'viewport';
    const from = origin === 'viewport' ? { x: 0, y: 0 } : origin === 'pointer' ? now : middle(origin);
    if (!from) throw new WebDriverFailure('invalid argument', '"origin" must be "viewport", "pointer" or an element.');
    const at = { x: from.x + by.x, y: from.y + by.y };
    if (at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1) return at;
    const where = `${Math.round(at.x * width)}, ${Math.round(at.y * height)}`;
    throw new WebDriverFailure('move target out of bounds', `${where} is not on the display of ${width} by ${height}.`);
  }
}

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

const noType = (type: string): WebDriverFailure =>
  new WebDriverFailure('unsupported operation', `There are no actions of the type ${JSON.stringify(type)}.`);

const notTogether = (): WebDriverFailure =>
  new WebDriverFailure('unsupported operation', 'Two fingers of a gesture go down and up together, in the same tick.');
