import type { Target, UiFrame, UiNode } from '@runcloud/protocol';
import { quoted } from './outline.ts';
import { resembling } from './resembling.ts';

/** What a screen has for a selector. */
export type Finding =
  | { readonly kind: 'one'; readonly node: UiNode }
  /** `more` is a sentence that helps, if there is one. */
  | { readonly kind: 'none'; readonly more: string }
  /** `of` is the selector that several elements fit: the one that was given, or that of its `near`. */
  | { readonly kind: 'several'; readonly of: Target; readonly count: number; readonly names: string };

/** Elements that are named in a failure. */
const NAMED_MAX = 5;
/** What can be pressed or typed into, and not only read or scrolled. */
const USABLE: ReadonlySet<string> = new Set(['tap', 'longPress', 'type', 'adjust']);

interface Placed {
  readonly node: UiNode;
  readonly parent: Placed | undefined;
  /** None is lower. */
  rank: number;
}

/**
 * Finds the element that a selector means, which has no ref.
 * @param action only elements with this action count
 */
export function findTarget(nodes: readonly UiNode[], target: Target, action?: 'type'): Finding {
  const all = flat(nodes);
  const able = action === undefined ? all : all.filter(({ node }) => node.actions?.includes(action));
  const found = innermost(best(able.filter((one) => matches(one, target))));
  const { near } = target;
  if (near === undefined) return chosen(found, target, able, nodes);
  const beside = innermost(best(all.filter((one) => matches(one, { text: near }))));
  const [anchor] = beside;
  if (anchor === undefined)
    return { kind: 'none', more: ` There is no ${quoted(near)} to be near to.${similar(all, near)}` };
  if (beside.length > 1) return several(beside, { text: near });
  const byDistance = found
    .filter(({ node }) => node !== anchor.node)
    .map((one) => ({ one, at: distance(one.node.frame, anchor.node.frame) }))
    .sort((a, b) => a.at - b.at);
  const sorted = byDistance.map(({ one }) => one);
  return chosen(sorted, { ...target, index: target.index ?? 0 }, able, nodes);
}

/**
 * All elements that a selector without `near` and `index` fits, of those within each other the innermost; those of the bars of the
 * system only where nothing else fits.
 */
export function findAll(nodes: readonly UiNode[], target: Target): readonly UiNode[] {
  const found = innermost(flat(nodes).filter((one) => matches(one, target))).map(({ node }) => node);
  const own = found.filter(({ system }) => !system);
  return own.length > 0 ? own : found;
}

/** Why there is not exactly one. */
export function sentenceOf(finding: Exclude<Finding, { kind: 'one' }>, target: Target, frame: number): string {
  if (finding.kind === 'none') return `No ${inWords(target)} in frame ${frame}.${finding.more}`;
  return `${finding.count} elements fit ${inWords(finding.of)} in frame ${frame}: ${finding.names}.`;
}

/** `button "Save" near "Groceries"` */
export function inWords({ role, text, id, near, index }: Target): string {
  const words: string[] = [role ?? 'element'];
  if (text !== undefined) words.push(quoted(text));
  if (id !== undefined) words.push(`with the id ${quoted(id)}`);
  if (near !== undefined) words.push(`near ${quoted(near)}`);
  if (index !== undefined) words.push(`number ${index}`);
  return words.join(' ');
}

function chosen(found: readonly Placed[], target: Target, able: readonly Placed[], nodes: readonly UiNode[]): Finding {
  const { index, text } = target;
  if (index === undefined && found.length > 1) return several(found, target);
  const one = found[index ?? 0];
  if (one) return { kind: 'one', node: one.node };
  if (found.length > 0)
    return { kind: 'none', more: ` There are ${found.length}: ${listed(found.map(({ node }) => node))}.` };
  const hidden = text !== undefined && isOutOfSight(nodes, text);
  return { kind: 'none', more: hidden ? ' It is out of sight.' : similar(able, text) };
}

const several = (found: readonly Placed[], of: Target): Finding => ({
  kind: 'several',
  of,
  count: found.length,
  names: listed(found.map(({ node }) => node)),
});

/** All elements that have a place, in the order in which they are drawn. */
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

const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

function best(found: readonly Placed[]): readonly Placed[] {
  let rank = Number.POSITIVE_INFINITY;
  for (const one of found) rank = Math.min(rank, one.rank);
  return found.filter((one) => one.rank === rank);
}

/** Of elements within each other the innermost is meant. */
function innermost(found: readonly Placed[]): readonly Placed[] {
  const around = new Set<Placed>();
  for (const { parent } of found) {
    for (let one = parent; one && !around.has(one); one = one.parent) around.add(one);
  }
  return found.filter((one) => !around.has(one));
}

/** From edge to edge, then from middle to middle. Most displays are twice as high as wide. */
function distance(a: UiFrame, b: UiFrame): number {
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

function isOutOfSight(nodes: readonly UiNode[], text: string): boolean {
  return nodes.some(
    ({ offScreen, children = [] }) =>
      offScreen?.names.some((name) => folded(name).includes(folded(text))) || isOutOfSight(children, text),
  );
}

function similar(all: readonly Placed[], text: string | undefined): string {
  if (text === undefined) return '';
  const like = resembling(folded(text), all, ({ node: { name, value } }) => folded(name ?? value ?? ''), NAMED_MAX);
  return like.length === 0 ? '' : ` Similar: ${listed(like.map(({ node }) => node))}.`;
}

/** Some of them, in words. */
export function listed(found: readonly UiNode[]): string {
  const names = found.slice(0, NAMED_MAX).map(named);
  return found.length > NAMED_MAX ? `${names.join(', ')} …` : names.join(', ');
}

/** `button "Save" @4` */
export function named({ role, name, value, ref }: UiNode): string {
  const said = name ?? value;
  return [role, said === undefined ? undefined : quoted(said.slice(0, 60)), ref]
    .filter((word) => word !== undefined)
    .join(' ');
}
