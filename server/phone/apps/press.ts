import { distance, type Pixel } from '../geometry.ts';

/** A finger on an item that can be tapped. It counts as a tap if the finger is lifted near the place where it came down. */
export class Press<Target> {
  readonly #slop: number;
  #target: Target | undefined;
  #from: Pixel = { x: 0, y: 0 };

  /** @param slop maximum movement of the finger, in pixels */
  constructor(slop: number) {
    this.#slop = slop;
  }

  /** The pressed item. */
  get target(): Target | undefined {
    return this.#target;
  }

  begin(target: Target | undefined, at: Pixel): void {
    this.#target = target;
    this.#from = at;
  }

  move(at: Pixel): void {
    if (distance(at, this.#from) > this.#slop) this.#target = undefined;
  }

  /** The item that was tapped, if any. */
  end(): Target | undefined {
    const target = this.#target;
    this.#target = undefined;
    return target;
  }

  cancel(): void {
    this.#target = undefined;
  }
}
