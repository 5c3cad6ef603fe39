import type { UiNode } from '@runcloud/protocol';
import type { Rect } from '../../device/driver.ts';
import type { UiLook } from '../ui/ui-frames.ts';

/** A time of day, or of something that plays. */
const TIME = /\d{1,2}:\d{2}/;
/** Longer texts only mention one. */
const TIME_CHARACTERS = 24;
/** The largest caret, as shares of the picture's width and height. */
const CARET_WIDTH = 0.02;
const CARET_HEIGHT = 0.06;
/** The highest bar with a clock, as a share of the picture's height. */
const BAR_HEIGHT = 0.07;
/** What floats has a shadow, as a share of the picture's long edge. */
const SHADOW = 0.02;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The bars of the system, such as the one with the clock: what changes in them is no effect of an input. */
export const barsOf = (look: UiLook | undefined, size: Size): readonly Rect[] =>
  outermost(look?.nodes ?? [], ({ system }) => system === true).map((node) => areaOf(node, size));

/** Where a time is told, which goes on. */
export const timesOf = (look: UiLook | undefined, size: Size): readonly Rect[] =>
  outermost(look?.nodes ?? [], (node) => !node.system && isTime(node)).map((node) => areaOf(node, size));

/**
 * Whether no more than this has changed may be a caret that blinks: it is as small, and in a field that has the focus, or in any field or
 * anywhere where the device does not tell these.
 */
export function mayBeCaret(part: Rect, looks: readonly (UiLook | undefined)[], size: Size): boolean {
  if (part.width > CARET_WIDTH * size.width || part.height > CARET_HEIGHT * size.height) return false;
  return looks.some((look) => look === undefined || fieldsOf(look, size).some((field) => isWithin(part, field)));
}

/** Whether it may be the bar with the clock, where the device does not tell where that is. */
export const mayBeBar = (part: Rect, look: UiLook | undefined, { height }: Size): boolean =>
  (look === undefined || look.screen.missing?.includes('system') === true) &&
  part.y + part.height <= BAR_HEIGHT * height;

/** The fields that may have the focus. */
function fieldsOf({ nodes, screen }: UiLook, size: Size): readonly Rect[] {
  const isFocusTold = !screen.missing?.includes('focused');
  const isField = ({ editable, role, focused }: UiNode): boolean =>
    (editable === true || role === 'textfield') && (!isFocusTold || focused === true);
  return outermost(nodes, isField).map((node) => areaOf(node, size));
}

const isWithin = (part: Rect, area: Rect): boolean =>
  part.x >= area.x - 1 &&
  part.y >= area.y - 1 &&
  part.x + part.width <= area.x + area.width + 1 &&
  part.y + part.height <= area.y + area.height + 1;

/** What the screen says, without its bars, and without times. */
export const textOf = ({ nodes, screen }: UiLook): string => JSON.stringify([factsOf(screen), nodes.flatMap(said)]);

/** What of it does not go on by itself where a screen moves: what there is, what can be used, and how it is set. */
export const shapeOf = ({ nodes, screen }: UiLook): string => JSON.stringify([factsOf(screen), nodes.flatMap(shaped)]);

/**
 * The areas of what is no longer there, if nothing else is different in the elements: a message of the system or of an app that was
 * shown for a moment goes by itself.
 */
export function goneOf(before: UiLook, now: UiLook, size: Size): readonly Rect[] {
  const [had, has] = [flat(before.nodes), flat(now.nodes)];
  for (const key of has.keys()) if (!had.has(key)) return [];
  const margin = SHADOW * Math.max(size.width, size.height);
  return [...had].filter(([key]) => !has.has(key)).map(([, node]) => grown(areaOf(node, size), margin));
}

const factsOf = ({ screen, app, orientation, display }: UiLook['screen']) => [screen, app, orientation, display];

function isTime({ name, value }: UiNode): boolean {
  const told = value ?? name ?? '';
  return told.length <= TIME_CHARACTERS && told.search(TIME) >= 0;
}

const outermost = (nodes: readonly UiNode[], fits: (node: UiNode) => boolean): readonly UiNode[] =>
  nodes.flatMap((node) => (fits(node) ? [node] : outermost(node.children ?? [], fits)));

const areaOf = ({ frame }: UiNode, { width, height }: Size): Rect => ({
  x: frame.x * width,
  y: frame.y * height,
  width: frame.width * width,
  height: frame.height * height,
});

const grown = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** An element by itself; of one that tells a time neither that nor how wide it is. */
function factsOfNode({ ref: _ref, children: _children, name, value, frame, ...node }: UiNode): object {
  return isTime({ ...node, name, value, frame } as UiNode) ? node : { ...node, name, value, frame };
}

function said(node: UiNode): readonly object[] {
  return node.system ? [] : [{ ...factsOfNode(node), children: node.children?.flatMap(said) }];
}

/** Of what cannot be used its text may go on, as that of a stopwatch does. */
function shaped({
  role,
  name,
  id,
  disabled,
  selected,
  checked,
  focused,
  actions,
  children,
  system,
}: UiNode): readonly object[] {
  if (system) return [];
  const label = actions === undefined ? undefined : name;
  return [{ role, label, id, disabled, selected, checked, focused, actions, children: children?.flatMap(shaped) }];
}

/** The elements by what they are; equal ones count once. */
function flat(nodes: readonly UiNode[], into = new Map<string, UiNode>()): ReadonlyMap<string, UiNode> {
  for (const node of nodes) {
    if (node.system) continue;
    into.set(JSON.stringify(factsOfNode(node)), node);
    flat(node.children ?? [], into);
  }
  return into;
}
