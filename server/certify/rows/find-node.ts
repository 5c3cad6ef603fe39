import type { UiNode } from '../../../client/sdk/index.ts';
import type { Subject } from '../subject.ts';

/** The first element of the screen that fits, if the screen has one now. */
export async function findNode(
  { session, ground: { signal } }: Subject,
  fits: (node: UiNode) => boolean,
): Promise<UiNode | undefined> {
  return firstOf((await session.ui({ signal })).nodes, fits);
}

function firstOf(nodes: readonly UiNode[], fits: (node: UiNode) => boolean): UiNode | undefined {
  for (const node of nodes) {
    const found = fits(node) ? node : firstOf(node.children ?? [], fits);
    if (found) return found;
  }
  return undefined;
}
