import type { UiFrame, UiNode } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { UiScreen } from '../../device/ui.ts';

/** The elements of a screen within the contract's bounds, with their refs. */
export interface BoundedNodes {
  readonly nodes: readonly UiNode[];
  readonly nodeCount: number;
  readonly truncated: boolean;
}

/** Characters that would end a line, move what is written, or cannot be sent. */
const STRANGE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** The same, except for tabs and line feeds, which a value may have. */
const STRANGE_IN_VALUE = /(?:[^\P{Cc}\t\n]|[\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069])+/gu;

/** Apps choose what a screen holds: all of it is cut to size here, before anything else reads it. */
export function bounded({ nodes }: Pick<UiScreen, 'nodes'>): BoundedNodes {
  let refs = 0;
  let nodeCount = 0;
  let units = 0;
  let truncated = false;

  const cut = (text: string | undefined, strange: RegExp, max: number): string | undefined => {
    if (text === undefined) return undefined;
    // More than enough units for the characters that stay.
    const short = firstCharacters(text.slice(0, 4 * max).replace(strange, ' '), max);
    const rest = Math.max(0, LIMITS.uiTextUnits - units);
    if (short.length > rest) truncated = true;
    const kept = short.slice(0, rest).replace(/\p{Cs}/gu, '');
    units += kept.length;
    return kept;
  };

  const list = (given: readonly UiNode[], depth: number): readonly UiNode[] => {
    const kept: UiNode[] = [];
    for (const node of given) {
      if (depth >= LIMITS.uiDepth || nodeCount >= LIMITS.uiNodes) {
        truncated = true;
        break;
      }
      kept.push(one(node, depth));
    }
    return kept;
  };

  const one = (node: UiNode, depth: number): UiNode => {
    nodeCount++;
    const { role, id, secure, checked, actions, offScreen } = node;
    const name = cut(node.name, STRANGE, LIMITS.uiNameCharacters);
    const value = secure ? undefined : cut(node.value, STRANGE_IN_VALUE, LIMITS.uiValueCharacters);
    const ownId = cut(id, STRANGE, LIMITS.uiNameCharacters);
    const isNamed = actions !== undefined && actions.length > 0;
    const out: Record<string, unknown> = isNamed ? { ref: `@${++refs}`, role } : { role };
    if (name !== undefined && name !== '') out.name = name;
    if (value !== undefined) out.value = value;
    if (ownId !== undefined && ownId !== '') out.id = ownId;
    out.frame = boundedFrame(node.frame);
    for (const flag of ['disabled', 'selected', 'focused', 'secure', 'editable', 'system'] as const) {
      if (node[flag]) out[flag] = true;
    }
    if (checked !== undefined) out.checked = checked;
    if (isNamed) out.actions = [...actions];
    if (offScreen) {
      const { before, after } = offScreen;
      const names = offScreen.names.slice(0, 3).map((one) => cut(one, STRANGE, LIMITS.uiNameCharacters) ?? '');
      out.offScreen = { before, after, names };
    }
    const children = list(node.children ?? [], depth + 1);
    if (children.length > 0) out.children = children;
    return out as unknown as UiNode;
  };

  const all = list(nodes, 0);
  return { nodes: all, nodeCount, truncated };
}

/** The name of something that an app chooses, within the bounds. */
export const cleanName = (name: string): string =>
  firstCharacters(name.slice(0, 4 * LIMITS.uiNameCharacters).replace(STRANGE, ' '), LIMITS.uiNameCharacters);

function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

const PRECISION = 100_000;
const rounded = (value: number): number => Math.round(value * PRECISION) / PRECISION;
const share = (value: number): number => (Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0);

/** In whole hundred thousandths of the display, whatever the source says. */
function boundedFrame({ x, y, width, height }: UiFrame): UiFrame {
  const [left, top] = [rounded(share(x)), rounded(share(y))];
  const [right, bottom] = [rounded(share(x + width)), rounded(share(y + height))];
  return { x: left, y: top, width: rounded(Math.max(0, right - left)), height: rounded(Math.max(0, bottom - top)) };
}
