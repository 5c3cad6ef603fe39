import type { HistoryEntry, Point, Touched, UiNode } from '../sdk/types.ts';
import { type Move, movesOf } from './moves.ts';
import type { Yaml } from './value.ts';

/** A flow that was made of a history. */
export interface Captured {
  /** The file. */
  readonly text: string;
  /** How many inputs there were, and how each was told. */
  readonly inputs: number;
  readonly byName: number;
  readonly byPlace: number;
  readonly leftOut: readonly string[];
  /** Variables that stand for texts which the history does not keep. */
  readonly texts: readonly string[];
}

export interface CaptureOptions {
  readonly yaml: Yaml;
  /** What the flow is called. */
  readonly name: string;
  /** What was on the screen at the end, if it can still be told. */
  readonly end?: Pick<Touched, 'app' | 'heading'>;
}

type Element = NonNullable<Touched['element']>;

/** Home screens begin a walk. */
const HOME = /^(?:Home|SpringBoard)$|Launcher/i;
/** In an element that is larger, it matters where the finger was; share of the display. */
const LARGE = 0.15;
/** Clear of the edges of the display. */
const REACH = { min: 0.15, max: 0.85 } as const;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Makes a flow of what was done: by names where there are any, each with its reason. */
export function capture(entries: readonly HistoryEntry[], { yaml, name, end }: CaptureOptions): Captured {
  const writer = new Writer(yaml);
  const moves = movesOf(entries);
  for (const [index, move] of moves.entries()) writer.move(move, moves.slice(index + 1));
  writer.end(end);
  const launched = entries.find(({ action }) => action === 'launchApp')?.fields.app;
  const head = [
    `appId: ${yaml.stringify(typeof launched === 'string' ? launched : 'unknown').trim()}`,
    `name: ${yaml.stringify(name, { lineWidth: 0 }).trim()}`,
    '---',
  ];
  const { byName, byPlace, leftOut, texts } = writer;
  return {
    text: `${[...head, ...writer.lines].join('\n')}\n`,
    inputs: entries.length,
    byName,
    byPlace,
    leftOut,
    texts,
  };
}

class Writer {
  readonly lines: string[] = [];
  byName = 0;
  byPlace = 0;
  readonly leftOut: string[] = [];
  readonly texts: string[] = [];
  readonly #yaml: Yaml;
  #last: Touched | undefined;
  /** Content has moved since, so that another heading may be the first one. */
  #hasScrolled = false;
  /** Scrolls that the next touch may explain. */
  #scrolled: Extract<Move, { kind: 'scroll' }>[] = [];

  constructor(yaml: Yaml) {
    this.#yaml = yaml;
  }

  move(move: Move, next: readonly Move[]): void {
    switch (move.kind) {
      case 'tap':
      case 'doubleTap':
      case 'longPress':
        this.#arrive(move.touched);
        return this.#touch(move);
      case 'scroll':
        if (this.#scrolled.length === 0) this.#arrive(move.touched);
        this.#scrolled.push(move);
        if (next[0]?.kind !== 'scroll' && !elementOf(next[0])) this.#scrollByPlace();
        return;
      case 'swipe':
        this.#arrive(move.touched);
        this.byPlace++;
        return this.#command(
          'swipe',
          { start: place(move.from), end: place(move.to), duration: move.durationMs },
          'a swipe has no name',
        );
      case 'text':
        this.#arrive(move.touched);
        return this.#text(move.text);
      case 'erase':
        this.#arrive(move.touched);
        return this.#command('eraseText', move.count);
      case 'command':
        this.#arrive(move.touched);
        return this.#command(move.name, move.value);
      case 'leftOut':
        this.leftOut.push(move.sentence);
        this.lines.push(`# Left out: ${oneLine(move.sentence)}.`);
    }
  }

  /** What is to be there at the end. */
  end(end: Pick<Touched, 'app' | 'heading'> | undefined): void {
    if (end?.heading !== undefined && end.heading !== this.#last?.heading)
      this.#appears(end.heading, 'it was there at the end');
  }

  /** Says what has appeared since the touch before, where something has. */
  #arrive(touched: Touched | undefined): void {
    const before = this.#last;
    if (!touched) return;
    this.#last = touched;
    const { app, heading } = touched;
    const isMoved = this.#hasScrolled || this.#scrolled.length > 0;
    this.#hasScrolled = false;
    if (before === undefined && HOME.test(app ?? ''))
      return this.#command('pressKey', 'Home', 'it began on the home screen');
    if (heading === undefined) return;
    if (app !== before?.app) return this.#appears(heading, `${app ?? 'another app'} has come to the front`);
    if (heading !== before?.heading && !isMoved) this.#appears(heading, 'the screen has changed to this');
  }

  #appears(heading: string, reason: string): void {
    this.#command('assertVisible', pattern(heading), reason);
  }

  #touch({ kind, at, touched }: Extract<Move, { kind: 'tap' | 'doubleTap' | 'longPress' }>): void {
    const name = { tap: 'tapOn', doubleTap: 'doubleTapOn', longPress: 'longPressOn' }[kind];
    const element = touched?.element;
    if (!element) {
      this.#scrollByPlace();
      this.byPlace++;
      const reason = touched ? 'nothing here has a name' : 'what was here is not known';
      return this.#command(name, { point: place(at) }, reason);
    }
    const { selector, reason } = selectorOf(element);
    this.#scrollTo(selector, element);
    this.byName++;
    const within = pointWithin(element, at);
    if (within !== undefined)
      return this.#command(name, { ...selector, point: within }, `${reason}; where in it matters`);
    const { text, ...others } = selector;
    this.#command(name, text !== undefined && Object.keys(others).length === 0 ? text : selector, reason);
  }

  /** What was scrolled for is in sight then, on every screen. */
  #scrollTo(selector: Readonly<Record<string, unknown>>, { role }: Element): void {
    const down = this.#scrolled.reduce((sum, { deltaY }) => sum + deltaY, 0);
    const across = this.#scrolled.reduce((sum, { deltaX }) => sum + deltaX, 0);
    const count = this.#scrolled.length;
    if (count === 0) return;
    this.#scrolled = [];
    this.byName += count;
    const isDown = Math.abs(down) >= Math.abs(across);
    const direction = isDown ? (down >= 0 ? 'DOWN' : 'UP') : across >= 0 ? 'RIGHT' : 'LEFT';
    const reason = `${count === 1 ? 'a scroll' : `${count} scrolls`} to the ${role} that was touched then`;
    this.#command('scrollUntilVisible', { element: selector, direction }, reason);
  }

  #scrollByPlace(): void {
    const scrolled = this.#scrolled;
    this.#scrolled = [];
    if (scrolled.length === 0) return;
    this.#hasScrolled = true;
    this.byPlace += scrolled.length;
    for (const { at, deltaX, deltaY } of scrolled) {
      const [startX, endX] = reach(at.x, deltaX);
      const [startY, endY] = reach(at.y, deltaY);
      const ends = { start: place({ x: startX, y: startY }), end: place({ x: endX, y: endY }) };
      this.#command('swipe', ends, 'a scroll, after which nothing was touched that has a name');
    }
  }

  #text(text: string | undefined): void {
    if (text !== undefined) return this.#command('inputText', literal(text));
    const name = `TEXT_${this.texts.length + 1}`;
    this.texts.push(name);
    this.#command(
      'inputText',
      `\${${name}}`,
      `the history keeps the length of a text alone: give it with --env ${name}=...`,
    );
  }

  #command(name: string, value?: unknown, reason?: string): void {
    if (name !== 'assertVisible' && name !== 'swipe') this.#scrollRest(name);
    const comment = reason === undefined ? '' : ` # ${oneLine(reason)}`;
    if (value === undefined) return void this.lines.push(`- ${name}${comment}`);
    const [first = '', ...rest] = this.#yaml
      .stringify({ [name]: value }, { lineWidth: 0 })
      .trimEnd()
      .split('\n');
    // A text of several lines ends where the next command begins.
    const isOpen = /[|>][+-]?\d*$/.test(first);
    this.lines.push(...(isOpen && comment ? [`#${comment.slice(2)}`] : []), `- ${first}${isOpen ? '' : comment}`);
    this.lines.push(...rest.map((line) => `  ${line}`));
  }

  /** Scrolls before a command that is no touch. */
  #scrollRest(name: string): void {
    if (name !== 'scrollUntilVisible' && !/^(?:tapOn|doubleTapOn|longPressOn)$/.test(name)) this.#scrollByPlace();
  }
}

const elementOf = (move: Move | undefined): Element | undefined =>
  move && (move.kind === 'tap' || move.kind === 'doubleTap' || move.kind === 'longPress')
    ? move.touched?.element
    : undefined;

/** What the element is found by again, and why. */
function selectorOf({ role, name, id, index }: Element): {
  readonly selector: { readonly id?: string; readonly text?: string; readonly index?: number };
  readonly reason: string;
} {
  const which = index === undefined ? '' : `, number ${index + 1} from the top`;
  const at = index === undefined ? {} : { index };
  if (id !== undefined)
    return {
      selector: { id: pattern(id), ...at },
      reason: `${role}${name === undefined ? '' : ` ${JSON.stringify(name)}`} by its id${which}`,
    };
  const text = pattern(name ?? '');
  return {
    selector: { text, ...at },
    reason: index === undefined ? `${role} by its name` : `${role}${which} of those with this name`,
  };
}

/** Where in an element the finger was, of one in which that matters. */
function pointWithin({ role, frame }: Element, at: Point): string | undefined {
  const isLarge = frame.width * frame.height > LARGE && role !== 'textfield' && role !== 'cell';
  if (role !== 'slider' && !isLarge) return undefined;
  return place({ x: (at.x - frame.x) / frame.width, y: (at.y - frame.y) / frame.height });
}

/** A finger that moves content by so much, from where it was or as near to it as it can reach. */
function reach(at: number, delta: number): readonly [number, number] {
  const { min, max } = REACH;
  if (delta === 0) return [at, at];
  const length = Math.min(Math.abs(delta), max - min);
  const start = delta > 0 ? Math.min(max, Math.max(at, min + length)) : Math.max(min, Math.min(at, max - length));
  return [start, delta > 0 ? start - length : start + length];
}

const percent = (share: number): string => `${Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10}%`;
const place = ({ x, y }: Point): string => `${percent(x)},${percent(y)}`;

/** A text as a regular expression that fits it alone. */
const pattern = (text: string): string => literal(text.replaceAll(SPECIAL, '\\$&'));

/** What looks like a variable and is none. */
const literal = (text: string): string => text.replaceAll('${', '\\${');

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** What is on a screen, as far as a touch would tell of it. */
export function screenOf(app: string | undefined, nodes: readonly UiNode[]): Pick<Touched, 'app' | 'heading'> {
  const heading = headingIn(nodes);
  return { ...(app === undefined ? {} : { app }), ...(heading === undefined ? {} : { heading }) };
}

function headingIn(nodes: readonly UiNode[]): string | undefined {
  for (const { role, name, system, children = [] } of nodes) {
    if (role === 'heading' && name !== undefined && !system) return name;
    const within = headingIn(children);
    if (within !== undefined) return within;
  }
  return undefined;
}
