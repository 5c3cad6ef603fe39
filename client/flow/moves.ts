import { KEY_TEXT, type Key } from '../../protocol/keys.ts';
import type { HistoryEntry, Point, Target, Touched } from '../sdk/types.ts';

/** What one entry of a history was, as a person would say it. */
export type Move = Deed & { readonly touched?: Touched | undefined };

type Deed =
  | { readonly kind: 'tap' | 'doubleTap' | 'longPress'; readonly at: Point }
  /** Content was moved, by a wheel or a finger; positive shares bring what comes later. */
  | { readonly kind: 'scroll'; readonly at: Point; readonly deltaX: number; readonly deltaY: number }
  | { readonly kind: 'swipe'; readonly from: Point; readonly to: Point; readonly durationMs: number }
  /** Absent `text`: the history keeps lengths alone. */
  | { readonly kind: 'text'; readonly text: string | undefined }
  | { readonly kind: 'erase'; readonly count: number }
  /** A command that says it as it is. */
  | { readonly kind: 'command'; readonly name: string; readonly value?: unknown }
  | { readonly kind: 'leftOut'; readonly sentence: string };

type Fields = Readonly<Record<string, unknown>>;

/** A finger that moves less is meant to stay where it is; shares of the display. */
const STAYS_MAX = 0.02;
const LONG_MS = 500;
/** Two taps within that time, at one place, are a double tap. */
const DOUBLE_MS = 300;
/** Gestures that begin nearer to an edge are the system's. */
const EDGE = 0.06;

/** The moves of a history, in their order. What failed or was cancelled is not among them. */
export function movesOf(entries: readonly HistoryEntry[]): readonly Move[] {
  const moves: Move[] = [];
  let before: HistoryEntry | undefined;
  for (const entry of entries) {
    if (entry.lostBefore !== undefined) moves.push(leftOut(`${entry.lostBefore} inputs are missing in the history`));
    if (entry.status !== 'completed') {
      moves.push(leftOut(`${entry.action}, which ended as ${entry.status}`));
      continue;
    }
    // A text for an element gives it the focus first.
    if (isText(entry) && entry.fields.target !== undefined) {
      const tap = onElement(entry.fields.target as Target, entry.touched);
      moves.push(entry.touched ? { touched: entry.touched, ...tap } : tap);
    }
    const move = moveOf(entry);
    const last = moves.at(-1);
    if (last?.kind === 'tap' && move.kind === 'tap' && before && isSecondTap(before, entry, last.at, move.at)) {
      moves[moves.length - 1] = { ...last, kind: 'doubleTap' };
    } else moves.push(...added(last, move, moves));
    before = entry;
  }
  return moves;
}

/** A move behind the last one; texts become one, and what was erased at once was never typed. */
function added(last: Move | undefined, move: Move, moves: Move[]): readonly Move[] {
  if (last?.kind === 'text' && move.kind === 'text' && (last.text === undefined) === (move.text === undefined)) {
    moves.pop();
    return [{ ...last, text: last.text === undefined ? undefined : last.text + (move.text ?? '') }];
  }
  if (last?.kind === 'text' && last.text !== undefined && move.kind === 'erase') {
    moves.pop();
    const characters = [...last.text];
    const kept = characters.slice(0, Math.max(0, characters.length - move.count)).join('');
    const left = move.count - characters.length;
    return [...(kept === '' ? [] : [{ ...last, text: kept }]), ...(left > 0 ? [{ ...move, count: left }] : [])];
  }
  if (last?.kind === 'erase' && move.kind === 'erase') {
    moves.pop();
    return [{ ...last, count: last.count + move.count }];
  }
  return [move];
}

const isText = ({ action }: HistoryEntry): boolean => action === 'typeText' || action === 'insertText';

function isSecondTap(before: HistoryEntry, entry: HistoryEntry, one: Point, other: Point): boolean {
  const gapMs = Date.parse(entry.acceptedAt) - Date.parse(before.completedAt ?? before.acceptedAt);
  return gapMs <= DOUBLE_MS && distance(one, other) <= STAYS_MAX;
}

const leftOut = (sentence: string): Deed => ({ kind: 'leftOut', sentence });
const command = (name: string, value?: unknown): Deed => ({
  kind: 'command',
  name,
  ...(value === undefined ? {} : { value }),
});

function moveOf(entry: HistoryEntry): Move {
  const { action, fields, touched } = entry;
  const read = MOVES[action];
  const move = read?.(fields, touched) ?? leftOut(`${action}, which the format of flows cannot say`);
  return touched ? { touched, ...move } : move;
}

type ReadMove = (fields: Fields, touched: Touched | undefined) => Move | undefined;

/** A tap on an element that a program named: as it was found, else as it was named. */
function onElement(target: Target, touched: Touched | undefined): Move {
  const { frame } = touched?.element ?? {};
  if (frame) return { kind: 'tap', at: { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 } };
  const { text: name, id, role = 'other', near, index } = target;
  if ((name ?? id) === undefined || near !== undefined || index !== undefined) {
    return leftOut('a tap on an element that was not there yet, and that a flow cannot name');
  }
  const element = {
    role,
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    frame: NOWHERE,
  };
  return { kind: 'tap', at: NOWHERE, touched: { ...touched, element } };
}

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

const text: ReadMove = ({ text }) => ({ kind: 'text', text: typeof text === 'string' ? text : undefined });

const MOVES: Readonly<Record<string, ReadMove>> = {
  tapElement: ({ target }, touched) => onElement(target as Target, touched),
  tap: ({ x, y }) => ({ kind: 'tap', at: { x, y } as Point }),
  swipe: ({ from, to, durationMs }, touched) => swipe(from as Point, to as Point, Number(durationMs), touched),
  gesture: ({ steps }, touched) => fingers(steps as readonly Step[], lengthOf(steps as readonly Step[]), touched),
  pointer: ({ steps }, touched) => {
    const all = steps as readonly Step[];
    return fingers(all, (all.at(-1)?.atMs ?? 0) - (all[0]?.atMs ?? 0), touched);
  },
  scroll: ({ x = 0.5, y = 0.5, deltaX, deltaY }) => ({
    kind: 'scroll',
    at: { x, y } as Point,
    deltaX: Number(deltaX),
    deltaY: Number(deltaY),
  }),
  typeText: text,
  insertText: text,
  pressKey,
  pressButton: ({ button }) => {
    const name = BUTTONS[String(button)];
    if (name === undefined) return leftOut(`the button "${button}", which the format of flows does not have`);
    return button === 'back' ? command('back') : command('pressKey', name);
  },
  rotate: ({ orientation }) => {
    const name = ORIENTATIONS[String(orientation)];
    return name === undefined ? undefined : command('setOrientation', name);
  },
  launchApp: ({ app, arguments: texts, url }) => {
    if (url !== undefined) return command('openLink', url);
    const given = texts && Object.keys(texts).length > 0 ? { arguments: texts } : {};
    return command('launchApp', { appId: app, stopApp: false, ...given });
  },
  terminateApp: ({ app }) => command('stopApp', app),
  clearAppData: ({ app }) => command('clearState', app),
  'open-url': ({ url }) => command('openLink', url),
  setLocation: ({ latitude, longitude }) => command('setLocation', { latitude, longitude }),
};

interface Step {
  readonly points: readonly Point[];
  readonly delayMs?: number;
  readonly atMs?: number;
}

const lengthOf = (steps: readonly Step[]): number => steps.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);

function fingers(steps: readonly Step[], durationMs: number, touched: Touched | undefined): Deed {
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last || first.points.length !== 1)
    return leftOut('a gesture of two fingers, which the format of flows cannot say');
  const [at, to] = [first.points[0] as Point, last.points[0] as Point];
  const farthest = Math.max(...steps.map(({ points }) => distance(at, points[0] as Point)));
  if (farthest > STAYS_MAX) return swipe(at, to, durationMs, touched);
  return { kind: durationMs >= LONG_MS ? 'longPress' : 'tap', at };
}

/** Up or down, clear of the edges and of what is moved by itself, a finger scrolls. */
function swipe(from: Point, to: Point, durationMs: number, touched: Touched | undefined): Deed {
  const [across, down] = [from.x - to.x, from.y - to.y];
  const scrolls =
    Math.abs(down) > 2 * Math.abs(across) && from.y > EDGE && from.y < 1 - EDGE && touched?.element?.role !== 'slider';
  if (scrolls) return { kind: 'scroll', at: from, deltaX: 0, deltaY: down };
  return { kind: 'swipe', from, to, durationMs: Math.max(50, Math.round(durationMs) || 300) };
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const BUTTONS: Readonly<Record<string, string>> = {
  home: 'Home',
  back: 'Back',
  power: 'Power',
  volumeUp: 'Volume Up',
  volumeDown: 'Volume Down',
};
const KEYS: Readonly<Record<string, string>> = { enter: 'Enter', tab: 'Tab', escape: 'Escape', numpadEnter: 'Enter' };
const ORIENTATIONS: Readonly<Record<string, string>> = {
  portrait: 'PORTRAIT',
  portrait_upside_down: 'UPSIDE_DOWN',
  landscape_left: 'LANDSCAPE_LEFT',
  landscape_right: 'LANDSCAPE_RIGHT',
};

function pressKey({ key, modifiers, textCharacters }: Fields): Deed {
  if (textCharacters !== undefined) return { kind: 'text', text: undefined };
  const held = (modifiers ?? []) as readonly string[];
  if (held.some((modifier) => modifier !== 'shift'))
    return leftOut(`the keys ${[...held, key].join('+')}, which the format of flows does not have`);
  if (key === 'backspace') return { kind: 'erase', count: 1 };
  const name = KEYS[String(key)];
  if (name !== undefined) return command('pressKey', name);
  const typed = KEY_TEXT.get(key as Key)?.[held.length > 0 ? 1 : 0];
  return typed === undefined ? command('pressKey', key) : { kind: 'text', text: typed };
}
