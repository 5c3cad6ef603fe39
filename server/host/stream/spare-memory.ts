import { type Clock, systemClock } from '../../flow/clock.ts';

/** Memory that nothing has used for this time is freed. */
const KEPT_MS = 2_000;

/**
 * Memory of whole pictures, used again and again: to allocate some megabytes for each picture takes six times as long as to copy it,
 * and the collector holds up the thread.
 */
export class SpareMemory {
  readonly #clock: Pick<Clock, 'schedule'>;
  #spare: Uint8Array<ArrayBuffer>[] = [];
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Pick<Clock, 'schedule'> = systemClock) {
    this.#clock = clock;
  }

  /** A copy of the bytes, to be given back. */
  copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const { byteLength } = bytes;
    const index = this.#spare.findIndex((memory) => memory.byteLength === byteLength);
    const [copy = new Uint8Array(byteLength)] = index === -1 ? [] : this.#spare.splice(index, 1);
    copy.set(bytes);
    return copy;
  }

  giveBack(memory: Uint8Array<ArrayBuffer>): void {
    this.#spare.push(memory);
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.schedule(KEPT_MS, () => {
      this.#spare = [];
    });
  }
}

/** The instance of this thread. */
export const spareMemory = new SpareMemory();
