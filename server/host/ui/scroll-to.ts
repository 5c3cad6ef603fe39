import type { ActionFields, Target, UiFrame, UiNode } from '@runcloud/protocol';
import { folded, middleOf, placedNodes, type ScrollDirection } from '@runcloud/protocol/terms';
import type { Device, InputContext, InputResult } from '../../device/driver.ts';
import { TargetFault } from '../../device/fault.ts';
import type { Clock } from '../../flow/clock.ts';
import { poll } from '../../flow/poll.ts';
import { findTarget, inWords, listed, named, sentenceOf } from './find-target.ts';
import type { UiFrames, UiReading } from './ui-frames.ts';

type Request = Extract<ActionFields, { action: 'scrollTo' }>;

/** Of the list's own height or width: something of the last step stays in sight. */
const STEP = 0.7;
/** For an element that an edge of the list may cut off. */
const LAST_STEP = 0.25;
const STEPS_MAX = 200;
const LOOK_MS = 25;
/** A list that has not moved for this long after a step is at its end. */
const STILL_MS = 300;
/** One that goes on moving, or is full of what moves, is looked at all the same. */
const SETTLE_MS_MAX = 1_000;
/** Elements that are named at an end. */
const NAMED_MAX = 3;
/** Edges are in hundred thousandths. */
const EDGE = 0.00002;

interface Direction {
  readonly deltaX: -1 | 0 | 1;
  readonly deltaY: -1 | 0 | 1;
  readonly end: string;
}
const DIRECTIONS: Readonly<Record<ScrollDirection, Direction>> = {
  down: { deltaX: 0, deltaY: 1, end: 'bottom' },
  up: { deltaX: 0, deltaY: -1, end: 'top' },
  right: { deltaX: 1, deltaY: 0, end: 'right end' },
  left: { deltaX: -1, deltaY: 0, end: 'left end' },
};
const EVERYWHERE: readonly ScrollDirection[] = ['down', 'up'];

/** How a search goes on. */
interface Search {
  readonly request: Request;
  readonly context: InputContext;
  readonly untilMs: number;
  steps: number;
  deltaX: number;
  deltaY: number;
  /** What is at the ends that were reached, in words. */
  readonly ends: string[];
}

/** Scrolls on one device until an element is in sight. */
export class ScrollTo {
  readonly #device: Pick<Device, 'perform'>;
  readonly #frames: UiFrames;
  readonly #clock: Clock;

  constructor(device: Pick<Device, 'perform'>, frames: UiFrames, clock: Clock) {
    this.#device = device;
    this.#frames = frames;
    this.#clock = clock;
  }

  /** Rejects with a `TargetFault` that says what is at the ends, where it is not between them. */
  async perform(request: Request, context: InputContext): Promise<InputResult> {
    const untilMs = this.#clock.monotonicMs() + request.waitMs;
    const search: Search = { request, context, untilMs, steps: 0, deltaX: 0, deltaY: 0, ends: [] };
    let reading = await this.#frames.read(context.signal);
    if (reading.screen.screen === 'off') throw new TargetFault('absent', 'The screen is off.');
    const found = inSight(reading, request.target);
    if (found) return answerOf(search, reading, found);
    let list = listIn(reading, request);
    for (const name of request.direction ? [request.direction] : EVERYWHERE) {
      const direction = DIRECTIONS[name];
      for (;;) {
        const isOver = search.steps === STEPS_MAX || (search.steps > 0 && this.#clock.monotonicMs() > untilMs);
        if (isOver) throw notReached(search, reading, list);
        const next = isAtEnd(list, direction) ? undefined : await this.#step(search, list, direction, STEP);
        const shown = next && inSight(next, request.target);
        if (next && shown) return this.#whole(search, next, shown, list, direction);
        const before = textOf(list);
        if (next) {
          reading = next;
          list = listIn(next, request, list);
        }
        if (textOf(list) !== before) continue;
        search.ends.push(`At its ${direction.end}: ${endOf(list, direction)}.`);
        break;
      }
    }
    throw notThere(search, reading, list);
  }

  /** Goes a little further where an edge may cut the element off. */
  async #whole(
    search: Search,
    reading: UiReading,
    node: UiNode,
    before: UiNode,
    direction: Direction,
  ): Promise<InputResult> {
    const list = listIn(reading, search.request, before);
    if (!isAtEdge(node.frame, list.frame, direction) || isAtEnd(list, direction))
      return answerOf(search, reading, node);
    const next = await this.#step(search, list, direction, LAST_STEP);
    const shown = inSight(next, search.request.target);
    if (shown) return answerOf(search, next, shown);
    const sentence = `The ${named(node)} was in frame ${reading.frame}, and is out of sight again.`;
    throw new TargetFault('absent', sentence);
  }

  /** One step, and what is there when the list stands still. */
  async #step(search: Search, list: UiNode, { deltaX, deltaY }: Direction, share: number): Promise<UiReading> {
    const { request, context } = search;
    const way = {
      deltaX: rounded(deltaX * share * list.frame.width),
      deltaY: rounded(deltaY * share * list.frame.height),
    };
    const before = textOf(list);
    this.#frames.expire();
    await this.#device.perform({ action: 'scroll', ...way, ...middleOf(list.frame) }, context);
    search.steps++;
    search.deltaX = rounded(search.deltaX + way.deltaX);
    search.deltaY = rounded(search.deltaY + way.deltaY);
    const stepAtMs = this.#clock.monotonicMs();
    let last: string | undefined;
    const look = async (): Promise<{ readonly reading: UiReading; readonly isStill: boolean }> => {
      const reading = await this.#frames.read(context.signal);
      const text = textOf(listIn(reading, request, list));
      const isSame = text === last;
      last = text;
      const isLate = this.#clock.monotonicMs() - stepAtMs >= STILL_MS;
      return { reading, isStill: isSame && (text !== before || isLate) };
    };
    const times = { everyMs: LOOK_MS, forMs: SETTLE_MS_MAX, signal: context.signal };
    return (await poll(this.#clock, times, look, ({ isStill }) => isStill)).reading;
  }
}

const rounded = (share: number): number => Math.round(share * 100_000) / 100_000;

const textOf = (list: UiNode): string => JSON.stringify(list);

/** The element, if it is there; throws where several are. */
function inSight({ nodes, frame }: UiReading, target: Target): UiNode | undefined {
  const found = findTarget(nodes, target);
  if (found.kind === 'several') throw new TargetFault('several', sentenceOf(found, target, frame));
  return found.kind === 'one' ? found.node : undefined;
}

/** The list that may hold the element: the one that was scrolled before, the one that tells of the element, or the largest. */
function listIn({ nodes, frame }: UiReading, { target, within }: Request, before?: UiNode): UiNode {
  const around = within === undefined ? nodes : [only(nodes, within, frame)];
  const lists = placedNodes(around).filter(({ actions, system }) => actions?.includes('scroll') && !system);
  const text = target.text === undefined ? undefined : folded(target.text);
  const tells = ({ offScreen }: UiNode): boolean =>
    text !== undefined && (offScreen?.names.some((name) => folded(name).includes(text)) ?? false);
  const list =
    (before && (lists.find((one) => isAsBefore(one, before)) ?? lists.find((one) => isWhere(one, before)))) ??
    lists.find(tells) ??
    [...lists].sort((one, other) => areaOf(other) - areaOf(one))[0];
  if (list) return list;
  const where = within === undefined ? `frame ${frame}` : `the ${inWords(within)} of frame ${frame}`;
  throw new TargetFault('absent', `No ${inWords(target)} in frame ${frame}, and nothing in ${where} can be scrolled.`);
}

function only(nodes: readonly UiNode[], within: Target, frame: number): UiNode {
  const found = findTarget(nodes, within);
  if (found.kind === 'one') return found.node;
  throw new TargetFault(found.kind === 'none' ? 'absent' : 'several', sentenceOf(found, within, frame));
}

const isWhere = ({ frame: a }: UiNode, { frame: b }: UiNode): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

const isAsBefore = (one: UiNode, before: UiNode): boolean =>
  one.role === before.role && one.id === before.id && one.name === before.name && isWhere(one, before);

const areaOf = ({ frame }: UiNode): number => frame.width * frame.height;

/** Whether the list tells that nothing more comes. */
const isAtEnd = ({ offScreen }: UiNode, { deltaX, deltaY }: Direction): boolean =>
  offScreen !== undefined && (deltaX + deltaY > 0 ? offScreen.after : offScreen.before) === 0;

/** Whether an element ends where the list ends in sight. */
function isAtEdge(node: UiFrame, list: UiFrame, { deltaX, deltaY }: Direction): boolean {
  if (deltaY > 0) return node.y + node.height >= list.y + list.height - EDGE;
  if (deltaY < 0) return node.y <= list.y + EDGE;
  if (deltaX > 0) return node.x + node.width >= list.x + list.width - EDGE;
  return node.x <= list.x + EDGE;
}

/** What is seen of a list at one end of it. */
function endOf(list: UiNode, { deltaX, deltaY }: Direction): string {
  const seen = placedNodes(list.children ?? []).filter(({ name, value }) => (name ?? value) !== undefined);
  const last = deltaX + deltaY > 0 ? seen.slice(-NAMED_MAX) : seen.slice(0, NAMED_MAX);
  return last.length === 0 ? 'nothing that has a name' : listed(last);
}

function notThere({ request: { target }, ends }: Search, { frame }: UiReading, list: UiNode): TargetFault {
  return new TargetFault('absent', `No ${inWords(target)} in the ${named(list)} of frame ${frame}. ${ends.join(' ')}`);
}

function notReached({ request, steps, ends }: Search, { frame }: UiReading, list: UiNode): TargetFault {
  const tried = steps === STEPS_MAX ? `in ${steps} steps` : `within ${request.waitMs} ms, in ${steps} steps`;
  const sentence = `No ${inWords(request.target)} ${tried} through the ${named(list)} of frame ${frame}.`;
  return new TargetFault('absent', [sentence, ...ends, `Last in sight: ${endOf(list, DIRECTIONS.down)}.`].join(' '));
}

const answerOf = ({ deltaX, deltaY }: Search, { frame }: UiReading, node: UiNode): InputResult => ({
  ...middleOf(node.frame),
  frame,
  deltaX,
  deltaY,
});
