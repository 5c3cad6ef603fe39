import type { Target } from './actions/action.ts';
import type { UiFrame, UiNode } from './ui.ts';

/** What a screen has for a selector. */
export type UiMatch =
  | { readonly kind: 'one'; readonly node: UiNode }
  /** `found` fit, and are fewer than the index asks for; `lacks` is the text that no element has to be near to. */
  | { readonly kind: 'none'; readonly found: readonly UiNode[]; readonly lacks?: string }
  /** `of` is the selector that several elements fit: the one that was given, or that of its `near`. */
  | { readonly kind: 'several'; readonly of: Target; readonly found: readonly UiNode[] };

/** What can be pressed or typed into, and not only read or scrolled. */
const USABLE: ReadonlySet<string> = new Set(['tap', 'longPress', 'type', 'adjust']);

interface Placed {
  readonly node: UiNode;
  readonly parent: Placed | undefined;
  /** None is lower. */
  rank: number;
}

/**
 * Finds the element that a selector means, which has no ref: the one rule of all who resolve selectors or write them.
 * @param action only elements with this action count
 */
export function matchTarget(nodes: readonly UiNode[], target: Target, action?: 'type'): UiMatch {
  const all = flat(nodes);
  const able = action === undefined ? all : all.filter(({ node }) => node.actions?.includes(action));
  const found = innermost(best(able.filter((one) => matches(one, target))));
  const { near } = target;
  if (near === undefined) return chosen(found, target);
  const beside = innermost(best(all.filter((one) => matches(one, { text: near }))));
  const [anchor] = beside;
  if (anchor === undefined) return { kind: 'none', found: [], lacks: near };
  if (beside.length > 1) return { kind: 'several', of: { text: near }, found: beside };
  const byDistance = found.filter((node) => node !== anchor).map((node) => ({ node, at: distance(node, anchor) }));
  byDistance.sort((a, b) => a.at - b.at);
  const sorted = byDistance.map(({ node }) => node);
  return chosen(sorted, { ...target, index: target.index ?? 0 });
}

/**
 * All elements that a selector without `near` and `index` fits, of those within each other the innermost; those of the bars of the
 * system only where nothing else fits.
 */
export function matchAll(nodes: readonly UiNode[], target: Target): readonly UiNode[] {
  const found = innermost(flat(nodes).filter((one) => matches(one, target)));
  const own = found.filter(({ system }) => !system);
  return own.length > 0 ? own : found;
}

/** All elements that have a place, in the order in which they are drawn. */
export const placedNodes = (nodes: readonly UiNode[]): readonly UiNode[] => flat(nodes).map(({ node }) => node);

/** A text as it is compared: neither its case nor its spaces count. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

function chosen(found: readonly UiNode[], target: Target): UiMatch {
  const { index } = target;
  if (index === undefined && found.length > 1) return { kind: 'several', of: target, found };
  const node = found[index ?? 0];
  return node ? { kind: 'one', node } : { kind: 'none', found };
}

function flat(nodes: readonly UiNode[]): readonly Placed[] {
  const all: Placed[] = [];
  const visit = (node: UiNode, parent: Placed | undefined): void => {
    const placed = { node, parent, rank: 0 };
    if (node.frame.width > 0 && node.frame.height > 0) all.push(placed);
    for (const child of node.children ?? []) visit(child, placed);
  };
  for (const node of nodes) visit(node, undefined);
  return all;
}

/** Whether the selector fits, and how well: a whole text before a part of one, what can be used before what can be read. */
function matches(placed: Placed, { text, id, role, exact }: Target): boolean {
  const { node } = placed;
  if (role !== undefined && node.role !== role) return false;
  if (id !== undefined && node.id !== id) return false;
  const likeness = text === undefined ? 0 : unlikeness(node, text, exact ?? false);
  if (likeness === undefined) return false;
  const usable = node.actions?.some((action) => USABLE.has(action)) ?? false;
  placed.rank = likeness * 4 + (usable ? 0 : 2) + (node.system ? 1 : 0);
  return true;
}

/** 0 for a whole text, 1 for a part of one; `undefined` where it is in neither the name nor the value. */
function unlikeness({ name, value }: UiNode, text: string, exact: boolean): 0 | 1 | undefined {
  let least: 0 | 1 | undefined;
  for (const said of [name, value]) {
    if (said === undefined) continue;
    if (exact ? said === text : folded(said) === folded(text)) return 0;
    if (!exact && folded(said).includes(folded(text))) least = 1;
  }
  return least;
}

function best(found: readonly Placed[]): readonly Placed[] {
  let rank = Number.POSITIVE_INFINITY;
  for (const one of found) rank = Math.min(rank, one.rank);
  return found.filter((one) => one.rank === rank);
}

/** Of elements within each other the innermost is meant. */
function innermost(found: readonly Placed[]): readonly UiNode[] {
  const around = new Set<Placed>();
  for (const { parent } of found) {
    for (let one = parent; one && !around.has(one); one = one.parent) around.add(one);
  }
  return found.filter((one) => !around.has(one)).map(({ node }) => node);
}

/** From edge to edge, then from middle to middle. Most displays are twice as high as wide. */
export function distance({ frame: a }: UiNode, { frame: b }: UiNode): number {
  const gap = (from: number, length: number, other: number, otherLength: number): number =>
    Math.max(0, from - (other + otherLength), other - (from + length));
  const edges = Math.hypot(gap(a.x, a.width, b.x, b.width), 2 * gap(a.y, a.height, b.y, b.height));
  const [one, other] = [middleOf(a), middleOf(b)];
  return edges + Math.hypot(one.x - other.x, 2 * (one.y - other.y)) / 1_000;
}

const MILLION = 1_000_000;

/** In whole millionths, as a frame is in hundred thousandths. */
export const middleOf = ({ x, y, width, height }: UiFrame): { readonly x: number; readonly y: number } => ({
  x: Math.round((x + width / 2) * MILLION) / MILLION,
  y: Math.round((y + height / 2) * MILLION) / MILLION,
});
