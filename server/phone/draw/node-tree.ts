import type { UiAction, UiFrame, UiNode, UiRole } from '@runcloud/protocol';
import type { Pixel, Size } from '../geometry.ts';
import type { Clip } from './surface.ts';

/** What a part of the picture is. */
export interface NodeFacts {
  readonly role: UiRole;
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly id?: string | undefined;
  readonly disabled?: boolean;
  readonly selected?: boolean;
  readonly checked?: boolean;
  readonly focused?: boolean;
  readonly editable?: boolean;
  readonly system?: boolean;
  readonly actions?: readonly UiAction[];
  /** It gets every touch: whatever was drawn before it beside it cannot be reached. */
  readonly modal?: boolean;
  /** It gets the touches on it, although the picture below is seen through it. */
  readonly covers?: boolean;
  /** Elements that are not drawn, since they are out of sight. */
  readonly offScreen?: { readonly before: number; readonly after: number; readonly names: readonly string[] };
}

export const TAP: readonly UiAction[] = ['tap'];
export const TYPE: readonly UiAction[] = ['tap', 'longPress', 'type'];
export const TYPE_AND_SCROLL: readonly UiAction[] = [...TYPE, 'scroll'];
export const SCROLL: readonly UiAction[] = ['scroll'];
export const ADJUST: readonly UiAction[] = ['adjust'];

interface Open {
  readonly facts: NodeFacts;
  area: Clip;
  readonly at: Pixel;
  children: Open[];
  before: number;
  after: number;
  readonly names: string[];
}

const NAMES_MAX = 3;
const FLAGS = ['disabled', 'selected', 'focused', 'editable', 'system'] as const;

/** Collects the nodes of a scene, in the order in which they are drawn. */
export class NodeTree {
  readonly #root: Open = opened({ role: 'other' }, { left: 0, top: 0, right: 0, bottom: 0 }, { x: 0, y: 0 });
  readonly #open: Open[] = [this.#root];

  /** @param area in sight; @param at the top left corner, in sight or not */
  begin(facts: NodeFacts, area: Clip, at: Pixel): void {
    const parent = this.#open.at(-1);
    if (facts.modal && parent) parent.children = [];
    if (facts.covers) for (const node of this.#root.children) cover(node, area);
    this.#open.push(opened(facts, area, at));
  }

  end(): void {
    const node = this.#open.pop();
    const parent = this.#open.at(-1);
    if (!node || !parent) return;
    if (!isEmpty(node.area)) parent.children.push(node);
    else hide(parent, node, node.at.y < parent.area.top || node.at.x < parent.area.left);
  }

  /** The outermost nodes. */
  nodes(size: Size): readonly UiNode[] {
    return this.#root.children.map((node) => written(node, size));
  }
}

function opened(facts: NodeFacts, area: Clip, at: Pixel): Open {
  return { facts, area, at, children: [], before: 0, after: 0, names: [] };
}

const isEmpty = ({ left, top, right, bottom }: Clip): boolean => left >= right || top >= bottom;

function hide(parent: Open, { facts: { name } }: Open, isBefore: boolean): void {
  if (isBefore) parent.before++;
  else parent.after++;
  if (!isBefore && name !== undefined && parent.names.length < NAMES_MAX) parent.names.push(name);
}

/** Takes away from a node what lies below the upper edge of something at the foot of the picture that covers it. */
function cover(node: Open, { top }: Clip): void {
  node.area = { ...node.area, bottom: Math.min(node.area.bottom, top) };
  for (const child of node.children) cover(child, { ...node.area, top });
  const hidden = node.children.filter(({ area }) => isEmpty(area));
  if (hidden.length === 0) return;
  node.children = node.children.filter(({ area }) => !isEmpty(area));
  // They come before those that were out of sight anyway.
  const further = node.names.splice(0);
  for (const child of hidden) hide(node, child, false);
  node.names.push(...further.slice(0, NAMES_MAX - node.names.length));
}

function written({ facts, area, children, before, after, names }: Open, size: Size): UiNode {
  const { role, name, value, id, checked, actions, offScreen } = facts;
  const flags = Object.fromEntries(FLAGS.filter((flag) => facts[flag]).map((flag) => [flag, true]));
  const hidden = offScreen ?? (before + after > 0 ? { before, after, names } : undefined);
  return {
    role,
    ...(name === undefined ? {} : { name }),
    ...(value === undefined ? {} : { value }),
    ...(id === undefined ? {} : { id }),
    frame: shares(area, size),
    ...flags,
    ...(checked === undefined ? {} : { checked }),
    ...(actions === undefined || actions.length === 0 ? {} : { actions }),
    ...(hidden ? { offScreen: hidden } : {}),
    ...(children.length === 0 ? {} : { children: children.map((child) => written(child, size)) }),
  };
}

function shares({ left, top, right, bottom }: Clip, { width, height }: Size): UiFrame {
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height };
}
