import type { Point, PointerPhase } from '../../../device/driver.ts';
import { type DisplaySize, type QuarterTurns, toDisplayPixel } from '../guest/orientation.ts';
import type { InputChannel } from './input-channel.ts';
import { NEVER_EXPIRE, PRESSED, type Touch } from './messages.ts';

/**
 * The fingers on an emulator's screen: which are down, and where. A gesture keeps the orientation that it began in, so
 * that a screen that turns under it does not tear the finger away.
 */
export class EmulatorTouchState {
  readonly #channel: InputChannel;
  readonly #view: () => { readonly display: DisplaySize; readonly turns: QuarterTurns };
  #down: readonly Touch[] = [];
  #turnsOfGesture: QuarterTurns = 0;

  /** @param view the display as it is built, and how it is turned now */
  constructor(channel: InputChannel, view: () => { readonly display: DisplaySize; readonly turns: QuarterTurns }) {
    this.#channel = channel;
    this.#view = view;
  }

  /** Settles when the reports of this step are on their way; steps need not wait for each other. */
  async touch(phase: PointerPhase, points: readonly Point[]): Promise<void> {
    if (phase === 'cancel') return this.lift();
    const lifted = phase === 'begin' ? this.lift() : undefined;
    const { display, turns } = this.#view();
    if (phase === 'begin') this.#turnsOfGesture = turns;
    const touches = points.map((point, identifier) => ({
      ...toDisplayPixel(point, this.#turnsOfGesture, display),
      identifier,
      pressure: PRESSED,
      expiration: NEVER_EXPIRE,
    }));
    // A lift does not move: a finger that ends elsewhere goes there first.
    const moved = touches.some(({ x, y }, index) => this.#down[index]?.x !== x || this.#down[index]?.y !== y);
    this.#down = touches;
    const sent = phase !== 'end' || moved ? this.#channel.touch(touches) : undefined;
    await Promise.all([lifted, sent, phase === 'end' ? this.lift() : undefined]);
  }

  /** Lifts every finger that is down, in one report. */
  async lift(): Promise<void> {
    const down = this.#down;
    this.#down = [];
    if (down.length > 0) await this.#channel.touch(down.map((touch) => ({ ...touch, pressure: 0 })));
  }
}
