import type { Point, Target, Touched, UiFrame, UiNode, UiRole } from '@runcloud/protocol';
import { folded, matchTarget, placedNodes } from '@runcloud/protocol/terms';
import type { DeviceUi } from '../../device/ui.ts';
import type { TouchPlace } from '../../link/messages.ts';
import type { UiFrames, UiLook } from './ui-frames.ts';

/** Places of others: what is touched in them between those has no name of its own. */
const PLACES: ReadonlySet<UiRole> = new Set(['app', 'window', 'list', 'sheet', 'alert', 'keyboard', 'web']);
const USABLE: ReadonlySet<string> = new Set(['tap', 'longPress', 'type', 'adjust']);
/** A slow source is given up after that; the touch after the next one may be known again. */
const LOOK_MS_MAX = 10_000;

interface Placed {
  readonly node: UiNode;
  readonly parent: Placed | undefined;
}

/** Tells what is on the screen, and under the touches, before the inputs of one device. */
export class Touches {
  readonly #frames: UiFrames;
  readonly #isSlow: boolean;

  constructor(frames: UiFrames, { isSlow = false }: Pick<DeviceUi, 'isSlow'>) {
    this.#frames = frames;
    this.#isSlow = isSlow;
  }

  /**
   * What is on the screen now, and at a place. A source that takes long would tell of the screen after the input, so that what it told last counts, if no
   * input came since; it is asked again after each input, for the next one. `undefined` where nothing is known.
   */
  at(place: TouchPlace | undefined, signal: AbortSignal): Touched | undefined | Promise<Touched | undefined> {
    if (this.#isSlow) {
      const { latest } = this.#frames;
      setImmediate(() => this.#lookAgain());
      return latest && touchedOf(latest, place);
    }
    const look = this.#frames.look(signal);
    return look instanceof Promise ? look.then((read) => touchedOf(read, place)) : touchedOf(look, place);
  }

  #lookAgain(): void {
    const look = async (): Promise<unknown> => this.#frames.look(AbortSignal.timeout(LOOK_MS_MAX));
    look().catch(() => undefined);
  }
}

/** What a look at the screen has at a place. */
export function touchedOf({ nodes, screen }: Pick<UiLook, 'nodes' | 'screen'>, place: TouchPlace | undefined): Touched {
  const all = flat(nodes);
  const heading = all.find(({ node }) => node.role === 'heading' && !node.system && node.name !== undefined)?.node.name;
  const found = place && ('x' in place ? named(lastAt(all, place))?.node : meant(nodes, place));
  return {
    ...(screen.app === undefined ? {} : { app: screen.app }),
    ...(heading === undefined ? {} : { heading }),
    ...(found ? { element: described(found, all) } : {}),
  };
}

/** The element that an input names, if it is there by now. */
function meant(nodes: readonly UiNode[], target: Target): UiNode | undefined {
  if (target.ref !== undefined) return placedNodes(nodes).find(({ ref }) => ref === target.ref);
  const found = matchTarget(nodes, target);
  return found.kind === 'one' ? found.node : undefined;
}

function described(node: UiNode, all: readonly Placed[]): NonNullable<Touched['element']> {
  const { role, id, frame } = node;
  const name = saidOf(node);
  const index = indexOf(node, all);
  return {
    role,
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    ...(index === undefined ? {} : { index }),
    frame,
  };
}

/** What an element says by itself; what was typed into it is not told. */
const saidOf = ({ name, value, editable }: UiNode): string | undefined => name ?? (editable ? undefined : value);

/** Its place among those that are called the same; absent where it is the one that is meant by its name. */
function indexOf(node: UiNode, all: readonly Placed[]): number | undefined {
  const name = folded(saidOf(node) ?? '');
  const isAlike = ({ node: one }: Placed): boolean =>
    node.id === undefined
      ? [one.name, one.value].some((said) => said !== undefined && folded(said) === name)
      : one.id === node.id;
  const alike = innermost(all.filter(isAlike));
  const least = Math.min(...alike.map(rank));
  const meant = alike.filter((one) => rank(one) === least);
  if (meant.length === 1 && meant[0]?.node === node) return undefined;
  const inOrder = alike.map((one) => one.node).sort((a, b) => a.frame.y - b.frame.y || a.frame.x - b.frame.x);
  const index = inOrder.indexOf(node);
  return index < 0 ? undefined : index;
}

/** What can be used is meant before what can be read, and the app's own before the bars of the system. */
const rank = ({ node: { actions, system } }: Placed): number =>
  (actions?.some((action) => USABLE.has(action)) ? 0 : 2) + (system ? 1 : 0);

/** The innermost of those drawn last at a point. */
function lastAt(all: readonly Placed[], point: Point): Placed | undefined {
  return all.findLast(({ node }) => holds(node.frame, point) && !PLACES.has(node.role) && isTelling(node));
}

const isTelling = (node: UiNode): boolean => (saidOf(node) ?? node.id ?? node.actions) !== undefined;

/** The element itself, or the nearest one around it that has a name and can be used. */
function named(found: Placed | undefined): Placed | undefined {
  for (let one = found; one; one = one.parent) {
    const { node } = one;
    if (PLACES.has(node.role)) return undefined;
    if ((saidOf(node) ?? node.id) !== undefined && folded(node.id ?? saidOf(node) ?? '') !== '') return one;
  }
  return undefined;
}

/** All elements that have a place, in the order in which they are drawn. */
function flat(nodes: readonly UiNode[]): readonly Placed[] {
  const all: Placed[] = [];
  const visit = (node: UiNode, parent: Placed | undefined): void => {
    const placed = { node, parent };
    if (node.frame.width > 0 && node.frame.height > 0) all.push(placed);
    for (const child of node.children ?? []) visit(child, placed);
  };
  for (const node of nodes) visit(node, undefined);
  return all;
}

function innermost(found: readonly Placed[]): readonly Placed[] {
  const around = new Set<Placed>();
  for (const { parent } of found) for (let at = parent; at && !around.has(at); at = at.parent) around.add(at);
  return found.filter((one) => !around.has(one));
}

const holds = ({ x, y, width, height }: UiFrame, point: Point): boolean =>
  point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
