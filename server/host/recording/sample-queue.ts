import { type Sample, TIMESCALE } from '../../capture/track.ts';
import type { RecordedPicture } from './recorded-screen.ts';

/** Slightly more than a tick, so that no two pictures have the same one. */
const STEP_US = Math.ceil(1_000_000 / TIMESCALE);
/** Shorter than the interval of any display. */
const SAME_US = 4_000;
/** Bytes of queued pictures from which a write is started early. */
const WAITING_BYTES_HIGH = 4 * 1024 * 1024;
/** Maximum bytes of queued pictures, about a minute of motion, for a stalled disk. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

/** Pictures that wait for the disk, with times relative to the first one. */
export class SampleQueue {
  readonly #onHigh: () => void;
  #waiting: Sample[] = [];
  #bytes = 0;
  #firstMs: number | undefined;
  #lastUs = 0;
  /** The newest picture that was taken. */
  #takenUs = 0;
  #overflowed = false;

  /** @param onHigh called for the first picture, and when many wait */
  constructor(onHigh: () => void) {
    this.#onHigh = onHigh;
  }

  /** When the newest picture was captured. */
  get lastUs(): number {
    return this.#lastUs;
  }

  /** The earliest time for whatever comes after the newest picture. */
  get pastLastUs(): number {
    return this.#lastUs + STEP_US;
  }

  /** The queue overflowed; pictures were dropped. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Microseconds from the first picture until `monotonicMs`; 0 before there is one. */
  elapsedUs(monotonicMs: number): number {
    return this.#firstMs === undefined ? 0 : Math.max(0, Math.round((monotonicMs - this.#firstMs) * 1_000));
  }

  push({ key, data, time }: RecordedPicture): void {
    const isFirst = this.#firstMs === undefined;
    this.#firstMs ??= time.monotonicMs;
    if (this.#bytes + data.length > WAITING_BYTES_MAX) this.#overflowed = true;
    if (this.#overflowed) return;
    const elapsedUs = this.elapsedUs(time.monotonicMs);
    // When one encoder replaces the other, both have encoded the same capture: the later one's key picture replaces it.
    const last = this.#waiting.at(-1);
    if (key && last && last.atUs > 0 && elapsedUs - last.atUs < SAME_US) this.#drop(last);
    const atUs = isFirst ? 0 : Math.max(elapsedUs, this.pastLastUs);
    this.#lastUs = atUs;
    this.#bytes += data.length;
    this.#waiting.push({ atUs, key, data });
    if (isFirst || this.#bytes > WAITING_BYTES_HIGH) this.#onHigh();
  }

  /** Nothing refers to the newest picture when a key picture follows. */
  #drop({ data }: Sample): void {
    this.#waiting.pop();
    this.#bytes -= data.length;
    this.#lastUs = this.#waiting.at(-1)?.atUs ?? this.#takenUs;
  }

  /** Takes the queued pictures; those captured after `untilUs` are dropped. */
  take(untilUs = Number.POSITIVE_INFINITY): Sample[] {
    const taken = this.#waiting.filter(({ atUs }) => atUs === 0 || atUs <= untilUs + STEP_US);
    const left = this.#waiting.length - taken.length;
    if (left > 0) this.#lastUs = taken.at(-1)?.atUs ?? Math.min(this.#lastUs, untilUs);
    this.#takenUs = this.#lastUs;
    this.#waiting = [];
    this.#bytes = 0;
    return taken;
  }
}
