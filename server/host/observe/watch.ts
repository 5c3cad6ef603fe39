import type { Observed, UiFrame, UnknownReason } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Rect } from '../../device/driver.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import type { UiLook } from '../ui/ui-frames.ts';
import { type Before, type Eyes, LOOK_MS, STILL_MS } from './before.ts';
import { movedPart } from './moved-part.ts';
import { barsOf, goneOf, shapeOf, textOf } from './restless.ts';
import type { Sight } from './sight.ts';

const unknown = (reason: UnknownReason): Observed => ({ unknown: reason });

/**
 * Watches what an input changes on a screen, from its dispatch on. A change counts where the screen stood still before, outside of the
 * bars of the system, and where it is not what may go on by itself; of a screen that moved before, only what there is on it counts.
 */
export class Watch {
  readonly #eyes: Eyes;
  readonly #before: Before;
  readonly #inputs: () => number;
  readonly #inputSeq: number;
  readonly #dispatchedMs: number;
  #takenMs: number | undefined;
  /** How many inputs had come when the device had taken this one. */
  #count = 0;
  #changedMs: number | undefined;
  #movedMs = 0;
  /** The minute of the dispatch. */
  readonly #minute: number;
  /** Another minute has begun: a clock may have gone on, also one that only shows through what covers it. */
  #hasTicked = false;
  /** Something changed that may have changed by itself. */
  #isDoubtful: boolean;
  #newest: Sight;
  #look: UiLook | undefined;

  /** @param inputs how many inputs have come; rises before each */
  constructor(eyes: Eyes, before: Before, inputs: () => number, inputSeq: number) {
    this.#eyes = eyes;
    this.#before = before;
    this.#inputs = inputs;
    this.#inputSeq = inputSeq;
    this.#dispatchedMs = eyes.clock.monotonicMs();
    this.#isDoubtful = before.isMoving;
    this.#minute = minuteOf(eyes.clock.wallMs());
    this.#newest = before.picture;
    this.#look = before.look;
  }

  /** The newest look at the screen. */
  get look(): UiLook | undefined {
    return this.#look;
  }

  /** The device has taken the input. */
  taken(): void {
    this.#takenMs = this.#eyes.clock.monotonicMs();
    this.#count = this.#inputs();
  }

  /** Settles with what was seen; rejects when aborted, and if the screen cannot be captured. */
  async run(signal: AbortSignal): Promise<Observed> {
    const { clock } = this.#eyes;
    let spare: Sight | undefined;
    for (;;) {
      await sleepUntil(clock.monotonicMs() + LOOK_MS, clock, signal);
      // Nothing is said of pictures that may be old.
      const isTimeOver = this.#isTimeOver();
      if (isTimeOver) await this.#eyes.refresh(signal);
      const last = this.#newest;
      const picture = await this.#eyes.picture(signal, last, spare);
      if (this.#isOver(picture)) return this.#told('next_input');
      const hasMoved = movedPart(last, picture, this.#look, this.#look) !== undefined;
      // The look is of the same moment, unless an input has come meanwhile.
      const look = picture.version === last.version ? this.#look : await this.#eyes.look(signal);
      if (this.#isOver(picture)) return this.#told('next_input');
      this.#newest = picture;
      this.#look = look;
      if (picture !== last) spare = last === this.#before.picture ? undefined : last;
      const nowMs = clock.monotonicMs();
      if (hasMoved) this.#movedMs = nowMs;
      this.#hasTicked ||= minuteOf(clock.wallMs()) !== this.#minute;
      if (this.#changedMs === undefined && this.#isChanged(picture, look)) this.#changedMs = this.#movedMs = nowMs;
      const ended = this.#ended(nowMs, isTimeOver);
      if (ended) return ended;
    }
  }

  /** What changes from now on comes too late. */
  #isTimeOver(): boolean {
    if (this.#takenMs === undefined || this.#changedMs !== undefined) return false;
    return this.#eyes.clock.monotonicMs() - this.#takenMs >= LIMITS.observedWithinMs;
  }

  #ended(nowMs: number, isTimeOver: boolean): Observed | undefined {
    if (this.#takenMs === undefined) return undefined;
    if (this.#changedMs === undefined) {
      if (!isTimeOver) return undefined;
      return this.#isDoubtful ? unknown('moves_by_itself') : { changed: false };
    }
    const isStill = nowMs - Math.max(this.#movedMs, this.#takenMs) >= STILL_MS;
    return isStill || nowMs - this.#takenMs >= LIMITS.observedSettlingMs ? this.#told(undefined, isStill) : undefined;
  }

  /** Another input has reached the device, or may have. */
  #isOver({ inputSeq }: Sight): boolean {
    if (isLater(inputSeq, this.#inputSeq)) return true;
    return this.#takenMs !== undefined && this.#inputs() !== this.#count;
  }

  #told(otherwise: UnknownReason | undefined, isStill = false): Observed {
    if (this.#changedMs === undefined) return unknown(otherwise ?? 'moves_by_itself');
    const after = (ms: number): number => Math.max(0, Math.round(ms - this.#dispatchedMs));
    const { picture, look, isMoving } = this.#before;
    const area = isMoving ? undefined : picture.differing(this.#newest, barsOf(look, picture));
    return {
      changed: true,
      ...(area && { area: sharesOf(area, this.#newest) }),
      firstPictureMs: after(this.#changedMs),
      ...(isStill && { settledMs: after(this.#movedMs) }),
    };
  }

  #isChanged(picture: Sight, look: UiLook | undefined): boolean {
    const before = this.#before;
    if (before.isMoving) {
      return before.look !== undefined && look !== undefined && shapeOf(look) !== shapeOf(before.look);
    }
    const isOtherText = before.look !== undefined && look !== undefined && textOf(look) !== textOf(before.look);
    const gone = before.look && look && isOtherText ? goneOf(before.look, look, picture) : [];
    if (isOtherText && gone.length === 0) return true;
    if (!this.#hasTicked && movedPart(before.picture, picture, before.look, look, gone)) return true;
    if (isOtherText || before.picture.differing(picture, barsOf(before.look, picture))) this.#isDoubtful = true;
    return false;
  }
}

/** Whether an input came after another one; numbers begin anew after 32 bits, and 0 is none. */
const isLater = (inputSeq: number, than: number): boolean =>
  inputSeq !== 0 && inputSeq !== than && (inputSeq - than) >>> 0 < 0x8000_0000;

const minuteOf = (wallMs: number): number => Math.floor(wallMs / 60_000);

const sharesOf = ({ x, y, width, height }: Rect, of: Sight): UiFrame => ({
  x: x / of.width,
  y: y / of.height,
  width: width / of.width,
  height: height / of.height,
});
