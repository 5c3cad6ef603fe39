import type { Target, UiNode } from '@runcloud/protocol';
import { folded, matchTarget, placedNodes } from '@runcloud/protocol/terms';
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

/**
 * Finds the element that a selector means, which has no ref, or says in words what is there.
 * @param action only elements with this action count
 */
export function findTarget(nodes: readonly UiNode[], target: Target, action?: 'type'): Finding {
  const match = matchTarget(nodes, target, action);
  if (match.kind === 'one') return match;
  const { found } = match;
  if (match.kind === 'several') {
    return { kind: 'several', of: match.of, count: found.length, names: listed(found) };
  }
  if (match.lacks !== undefined) {
    const sentence = ` There is no ${quoted(match.lacks)} to be near to.`;
    return { kind: 'none', more: `${sentence}${similar(placedNodes(nodes), match.lacks)}` };
  }
  if (found.length > 0) return { kind: 'none', more: ` There are ${found.length}: ${listed(found)}.` };
  const { text } = target;
  if (text !== undefined && isOutOfSight(nodes, text)) return { kind: 'none', more: ' It is out of sight.' };
  const able = placedNodes(nodes).filter(({ actions }) => action === undefined || actions?.includes(action));
  return { kind: 'none', more: similar(able, text) };
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

function isOutOfSight(nodes: readonly UiNode[], text: string): boolean {
  return nodes.some(
    ({ offScreen, children = [] }) =>
      offScreen?.names.some((name) => folded(name).includes(folded(text))) || isOutOfSight(children, text),
  );
}

function similar(all: readonly UiNode[], text: string | undefined): string {
  if (text === undefined) return '';
  const like = resembling(folded(text), all, ({ name, value }) => folded(name ?? value ?? ''), NAMED_MAX);
  return like.length === 0 ? '' : ` Similar: ${listed(like)}.`;
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
