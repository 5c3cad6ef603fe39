import type { SessionHandle } from '../../client/sdk/session.ts';
import type { UiNode, UiTree } from '../../client/sdk/types.ts';
import { systemClock } from '../flow/clock.ts';
import { poll } from '../flow/poll.ts';
import { ToolFailure } from './failure.ts';
import type { Place } from './steps.ts';

/** How long an element is waited for that an earlier step brings back, and between two looks for it. */
const WAIT_MS = 2_000;
const LOOK_MS = 100;
/** Elements of one kind are told apart by where they are, up to this share of the display. */
const SAME_PLACE = 0.02;

/**
 * The elements that a batch names by refs of one frame. An input ends the frame, so that for the steps after the first one the same
 * element is found again: by its role, name and id, and of several by its place. One that cannot be told for certain is refused.
 */
export class Elements {
  readonly #session: SessionHandle;
  readonly #first: UiTree;

  private constructor(session: SessionHandle, first: UiTree) {
    this.#session = session;
    this.#first = first;
  }

  /** Throws a `ToolFailure` if the screen is no longer that frame. */
  static async of(session: SessionHandle, frame: number, signal: AbortSignal): Promise<Elements> {
    const first = await session.ui({ signal });
    if (first.frame === frame) return new Elements(session, first);
    const sentence = `The screen has changed since frame ${frame}, and is frame ${first.frame} now.`;
    throw new ToolFailure('ref_of_other_frame', sentence);
  }

  async find(ref: string, isFirst: boolean, signal: AbortSignal): Promise<Place> {
    const { frame, nodes } = this.#first;
    const meant = withRef(nodes, ref);
    if (!meant) throw new ToolFailure('ref_not_issued', `Frame ${frame} has no ${ref}.`);
    if (isFirst) return placeOf(meant, frame);
    const look = async (): Promise<Place | undefined> => {
      const now = await this.#session.ui({ signal });
      const found = sameIn(now.nodes, meant);
      return found && placeOf(found, now.frame);
    };
    const place = await poll(systemClock, { everyMs: LOOK_MS, forMs: WAIT_MS, signal }, look);
    if (place) return place;
    const sentence = `The steps before changed the screen, and ${ref} of frame ${frame} is not there for certain.`;
    throw new ToolFailure('ref_expired', sentence);
  }
}

/** All elements, each before those within it. */
export const every = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.flatMap((node) => [node, ...every(node.children ?? [])]);

const withRef = (nodes: readonly UiNode[], ref: string): UiNode | undefined =>
  every(nodes).find((node) => node.ref === ref);

function sameIn(nodes: readonly UiNode[], { role, name, id, frame }: UiNode): UiNode | undefined {
  const alike = every(nodes).filter(
    (node) => node.ref !== undefined && node.role === role && node.name === name && node.id === id,
  );
  if (alike.length === 1) return alike[0];
  const near = alike.filter(
    ({ frame: { x, y } }) => Math.abs(x - frame.x) < SAME_PLACE && Math.abs(y - frame.y) < SAME_PLACE,
  );
  return near.length === 1 ? near[0] : undefined;
}

const placeOf = ({ ref, frame: { x, y, width, height } }: UiNode, frame: number): Place => ({
  target: { ref: ref as string, frame },
  at: { x: x + width / 2, y: y + height / 2 },
});
