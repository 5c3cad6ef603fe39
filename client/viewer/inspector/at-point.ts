import type { Point, UiFrame, UiNode } from '@runcloud/protocol';

/** What is seen at a point: what is drawn last, and says or does something. A wrapper only where there is nothing else. */
export function nodeAt(nodes: readonly UiNode[], point: Point): UiNode | undefined {
  let wrapper: UiNode | undefined;
  const visit = (all: readonly UiNode[]): UiNode | undefined => {
    for (const node of [...all].reverse()) {
      const inner = visit(node.children ?? []);
      if (inner) return inner;
      if (!holds(node.frame, point)) continue;
      if (isTelling(node)) return node;
      wrapper ??= node;
    }
    return undefined;
  };
  return visit(nodes) ?? wrapper;
}

const holds = ({ x, y, width, height }: UiFrame, point: Point): boolean =>
  point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;

/** Whether an element is more than the place of others. */
const isTelling = ({ name, value, id, actions, role }: UiNode): boolean =>
  role !== 'app' && role !== 'window' && (name ?? value ?? id ?? actions) !== undefined;
