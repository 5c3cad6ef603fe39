import { ACTION_LIMITS } from './action-limits.ts';
import type { Target } from './actions/action.ts';
import type { UiNode } from './ui.ts';
import { distance, folded, matchTarget, placedNodes } from './ui-match.ts';

/** A selector, and what tells the element from others. */
export interface BestSelector {
  readonly target: Target;
  readonly by: 'id' | 'text' | 'role' | 'near' | 'index';
}

/** Neighbours that are tried: one that is far away says nothing to a reader. */
const NEIGHBOURS_MAX = 12;

/**
 * The selector of an element that people and programs keep: what changes least comes first, and nothing is in it that is not needed.
 * The service finds this element by it, and no other, as long as the screen stays the same.
 *
 * @param nodes the tree of the screen
 * @param node one of the tree's own objects
 * @returns `undefined` where no selector means it: it has no place on the screen, or only elements within it or beside it are meant by
 *   what it says
 */
export function bestSelector(nodes: readonly UiNode[], node: UiNode): BestSelector | undefined {
  const finds = (target: Target): boolean => {
    const found = matchTarget(nodes, target);
    return found.kind === 'one' && found.node === node;
  };
  const { id, role } = node;
  const [said, held] = [textOf(node.name), textOf(node.value)];
  const byId = id === undefined || id.length > ACTION_LIMITS.targetCharacters.max || id === '' ? undefined : { id };
  if (byId && finds(byId)) return { target: byId, by: 'id' };
  // What can be used holds another value after it.
  const text = said ?? (node.actions ? undefined : held);
  const own: Target = text === undefined ? { role } : { text, role };
  if (finds(own)) return { target: own, by: text === undefined ? 'role' : 'text' };
  if (text !== undefined && finds({ ...own, exact: true })) return { target: { ...own, exact: true }, by: 'text' };
  const kinds: readonly Target[] = byId ? [byId, own] : [own];
  for (const near of neighbours(nodes, node)) {
    const kind = kinds.find((one) => finds({ ...one, near }));
    if (kind) return { target: { ...kind, near }, by: 'near' };
  }
  for (const kind of kinds) {
    const found = matchTarget(nodes, kind);
    const index = found.kind === 'several' ? found.found.indexOf(node) : -1;
    if (index >= 0 && index <= ACTION_LIMITS.targetIndex.max) return { target: { ...kind, index }, by: 'index' };
  }
  return undefined;
}

/** Names of what stands around an element, the nearest first; only those that one element alone has. */
function neighbours(nodes: readonly UiNode[], node: UiNode): string[] {
  return placedNodes(nodes)
    .filter((other) => other !== node && !other.system && other.name !== node.name)
    .map((other) => ({ text: textOf(other.name), at: distance(other, node) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, NEIGHBOURS_MAX)
    .flatMap(({ text }) => text ?? []);
}

/** What a selector can hold of a text; a part of a long one is found as well. */
function textOf(said: string | undefined): string | undefined {
  if (said === undefined || folded(said) === '') return undefined;
  const { max } = ACTION_LIMITS.targetCharacters;
  return said.length <= max ? said : said.slice(0, max).replace(/\p{Cs}$/u, '');
}
