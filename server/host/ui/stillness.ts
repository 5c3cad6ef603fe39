import type { UiNode } from '@runcloud/protocol';
import type { DeviceUi } from '../../device/ui.ts';
import type { Clock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import type { CaptureGate, NewestPicture } from '../capture-gate.ts';
import type { UiFrames, UiLook } from './ui-frames.ts';

const LOOK_MS = 25;
/** A screen that has not changed for this time stands still; a caret blinks more slowly. */
const STILL_MS = 100;
/** One that goes on moving is left to it. */
const MOVING_MS_MAX = 2_000;
/** Edges are smoothed over the pixels beside them. */
const EDGE_PIXELS = 2;

/** Tells whether one device's screen stands still: its picture, bars of the system left out, and its elements, where these are told at once. */
export class Stillness {
  readonly #frames: UiFrames;
  readonly #gate: CaptureGate;
  readonly #clock: Clock;
  readonly #isSlow: boolean;

  constructor(frames: UiFrames, gate: CaptureGate, clock: Clock, { isSlow = false }: Pick<DeviceUi, 'isSlow'>) {
    this.#frames = frames;
    this.#gate = gate;
    this.#clock = clock;
    this.#isSlow = isSlow;
  }

  /** Settles when it has stood still for 100 ms, with `false` after 2 seconds. Rejects when aborted, and if it cannot be captured. */
  async wait(signal: AbortSignal): Promise<boolean> {
    const startMs = this.#clock.monotonicMs();
    let sinceMs = startMs;
    let picture = await this.#picture();
    let look = await this.#look(signal);
    for (;;) {
      await sleepUntil(this.#clock.monotonicMs() + LOOK_MS, this.#clock, signal);
      const newest = await this.#picture();
      const hasMoved = isOtherPicture(picture, newest, look);
      const nowMs = this.#clock.monotonicMs();
      picture = newest;
      if (hasMoved) sinceMs = nowMs;
      else if (nowMs - sinceMs >= STILL_MS) {
        // The elements are read where the picture begins and ends to stand still, and not in between.
        const after = await this.#look(signal);
        if (after?.text === look?.text) return true;
        sinceMs = nowMs;
        look = after;
      }
      if (nowMs - startMs >= MOVING_MS_MAX) return false;
      if (hasMoved) look = await this.#look(signal);
    }
  }

  #picture(): Promise<NewestPicture | undefined> {
    return this.#gate.capture(() => this.#gate.newest);
  }

  #look(signal: AbortSignal): UiLook | Promise<UiLook> | undefined {
    return this.#isSlow ? undefined : this.#frames.look(signal);
  }
}

function isOtherPicture(
  before: NewestPicture | undefined,
  now: NewestPicture | undefined,
  look: UiLook | undefined,
): boolean {
  if (!before || !now || before.display !== now.display) return true;
  if (before.version === now.version) return false;
  // What others have captured in between is not known.
  if (now.version !== before.version + 1) return true;
  const bars = look ? systemFrames(look.nodes) : [];
  return !now.damage.every(({ x, y, width, height }) =>
    bars.some(
      ({ frame }) =>
        x >= frame.x * now.width - EDGE_PIXELS &&
        y >= frame.y * now.height - EDGE_PIXELS &&
        x + width <= (frame.x + frame.width) * now.width + EDGE_PIXELS &&
        y + height <= (frame.y + frame.height) * now.height + EDGE_PIXELS,
    ),
  );
}

const systemFrames = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.flatMap((node) => (node.system ? [node] : systemFrames(node.children ?? [])));
