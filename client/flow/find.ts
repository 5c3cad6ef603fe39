import type { UiNode } from '../sdk/types.ts';
import type { FlagName, Selector, Side } from './selector.ts';

export type Found =
  | { readonly kind: 'one'; readonly node: UiNode }
  | { readonly kind: 'none' | 'several'; readonly sentence: string };

/** Elements that are named in a failure. */
const NAMED_MAX = 5;
type UiFrame = UiNode['frame'];

const USABLE: ReadonlySet<string> = new Set(['tap', 'longPress', 'type', 'adjust']);

interface Placed {
  readonly node: UiNode;
  readonly parent: Placed | undefined;
}

/** Finds the one element that is meant: of elements within each other the innermost, what can be used before what can be read. */
export function findOne(nodes: readonly UiNode[], selector: Selector): Found {
  const all = flat(nodes);
  const outcome = candidates(all, selector);
  if (typeof outcome === 'string') return { kind: 'none', sentence: outcome };
  const { index, sides } = selector;
  if (index !== undefined) {
    const inOrder = [...outcome].sort(({ node: a }, { node: b }) => a.frame.y - b.frame.y || a.frame.x - b.frame.x);
    const one = inOrder.at(index);
    if (one) return { kind: 'one', node: one.node };
    return { kind: 'none', sentence: `${absent(selector, all)} There are ${outcome.length} of them.` };
  }
  // They come nearest first.
  const meant = sides.length > 0 ? outcome.slice(0, 1) : preferred(outcome);
  const [first] = meant;
  if (!first) return { kind: 'none', sentence: absent(selector, all) };
  if (meant.length === 1) return { kind: 'one', node: first.node };
  const sentence = `${meant.length} elements fit ${selector.words}: ${listed(meant)}. Say which one with "index" or "below".`;
  return { kind: 'several', sentence };
}

/** Whether such an element is in sight, one or several. */
export function isThere(nodes: readonly UiNode[], selector: Selector): boolean {
  const found = candidates(flat(nodes), selector);
  if (typeof found === 'string') return false;
  return selector.index === undefined ? found.length > 0 : found.at(selector.index) !== undefined;
}

export const middleOf = ({ x, y, width, height }: UiFrame): { readonly x: number; readonly y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});

/** All elements that fit, of those within each other the innermost; a sentence where one that they are told by is not there for certain. */
function candidates(all: readonly Placed[], selector: Selector): readonly Placed[] | string {
  const found = fitting(all, selector);
  return typeof found === 'string' ? found : innermost(found);
}

function fitting(all: readonly Placed[], selector: Selector): readonly Placed[] | string {
  const { childOf, contains, sides } = selector;
  let found: readonly Placed[] = all.filter(({ node }) => fits(node, selector));
  if (childOf) {
    const parents = fitting(all, childOf);
    if (typeof parents === 'string') return parents;
    found = found.filter((one) => parents.some((parent) => isWithin(one, parent)));
  }
  for (const { what, isChild } of contains) {
    const inner = fitting(all, what);
    if (typeof inner === 'string') return inner;
    found = found.filter((outer) => inner.some((one) => (isChild ? one.parent === outer : isWithin(one, outer))));
  }
  for (const { side, of } of sides) {
    const anchor = anchorOf(all, of);
    if (typeof anchor === 'string') return anchor;
    found = found
      .filter(({ node }) => node !== anchor && isBeside(node.frame, side, anchor.frame))
      .sort(({ node: a }, { node: b }) => distance(a.frame, anchor.frame) - distance(b.frame, anchor.frame));
  }
  return found;
}

/** The element that others are told by. */
function anchorOf(all: readonly Placed[], selector: Selector): UiNode | string {
  const found = findOne(
    all.filter(({ parent }) => parent === undefined).map(({ node }) => node),
    selector,
  );
  return found.kind === 'one' ? found.node : found.sentence;
}

function fits(node: UiNode, { text, id, flags }: Selector): boolean {
  if (node.frame.width <= 0 || node.frame.height <= 0) return false;
  if (text && ![node.name, node.value].some((said) => said !== undefined && text.matches(said))) return false;
  if (id && (node.id === undefined || ![node.id, shortId(node.id)].some((said) => id.matches(said)))) return false;
  return Object.entries(flags).every(([name, is]) => hasFlag(node, name as FlagName) === is);
}

/** Android's `com.example:id/save` is also called `save`. */
const shortId = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

function hasFlag(node: UiNode, name: FlagName): boolean {
  if (name === 'enabled') return node.disabled !== true;
  return node[name] === true;
}

function isBeside(one: UiFrame, side: Side, anchor: UiFrame): boolean {
  const [a, b] = [middleOf(one), middleOf(anchor)];
  if (side === 'below') return a.y > b.y && one.y >= anchor.y + anchor.height / 2;
  if (side === 'above') return a.y < b.y && one.y + one.height <= anchor.y + anchor.height / 2;
  if (side === 'rightOf') return a.x > b.x && one.x >= anchor.x + anchor.width / 2;
  return a.x < b.x && one.x + one.width <= anchor.x + anchor.width / 2;
}

/** Most displays are twice as high as wide. */
function distance(one: UiFrame, other: UiFrame): number {
  const [a, b] = [middleOf(one), middleOf(other)];
  return Math.hypot(a.x - b.x, 2 * (a.y - b.y));
}

function flat(nodes: readonly UiNode[]): readonly Placed[] {
  const all: Placed[] = [];
  const visit = (node: UiNode, parent: Placed | undefined): void => {
    const placed = { node, parent };
    all.push(placed);
    for (const child of node.children ?? []) visit(child, placed);
  };
  for (const node of nodes) visit(node, undefined);
  return all;
}

function isWithin(one: Placed, outer: Placed): boolean {
  for (let at = one.parent; at; at = at.parent) if (at === outer) return true;
  return false;
}

function innermost(found: readonly Placed[]): readonly Placed[] {
  const around = new Set<Placed>();
  for (const { parent } of found) for (let at = parent; at && !around.has(at); at = at.parent) around.add(at);
  return found.filter((one) => !around.has(one));
}

/** What can be used before what can be read, and the app's own before the bars of the system. */
function preferred(found: readonly Placed[]): readonly Placed[] {
  const rank = ({ node: { actions, system } }: Placed): number =>
    (actions?.some((action) => USABLE.has(action)) ? 0 : 2) + (system ? 1 : 0);
  const least = Math.min(...found.map(rank));
  return found.filter((one) => rank(one) === least);
}

const listed = (found: readonly Placed[]): string =>
  found
    .slice(0, NAMED_MAX)
    .map(({ node }) => nodeInWords(node))
    .join(', ') + (found.length > NAMED_MAX ? ' …' : '');

/** `button "Save" @4` */
export function nodeInWords({ role, name, value, ref }: UiNode): string {
  const said = name ?? value;
  return [role, said === undefined ? undefined : JSON.stringify(said.slice(0, 60)), ref]
    .filter((word) => word !== undefined)
    .join(' ');
}

/** What is not there, and what has the text within a longer one. */
function absent({ words, text }: Selector, all: readonly Placed[]): string {
  const sentence = `There is no ${words} on the screen.`;
  const literal = text?.literal?.toLowerCase();
  if (literal === undefined) return sentence;
  const like = all.filter(
    ({ node: { name = '', value = '', frame } }) =>
      frame.width > 0 && `${name}\n${value}`.toLowerCase().includes(literal),
  );
  return like.length === 0
    ? sentence
    : `${sentence} It is a part of: ${listed(innermost(like))}. A text must be the whole, such as ".*${text?.written}.*".`;
}
