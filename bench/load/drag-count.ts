/** What a drag's answers say, step by step. */
export interface DragEvents {
  /** The step of this number, or a newer one in its place, left for the device. */
  stepped(step: number, atUs: number): void;
  /** The device has taken the whole gesture whose last step has this number. */
  ended(lastStep: number, atUs: number): void;
}

interface Dispatched {
  readonly atUs: number;
  /** The newest step that had been sent by then. */
  readonly newestSent: number;
}

/**
 * Which step an answer is about. `dispatched` comes in the order of the steps and does not name them. While no move was
 * replaced by a newer one, the n-th is about step n. How many were replaced shows at the gesture's end: each answer is
 * then about the newest step that it can be, until all of them are accounted for; a replaced move counts up to the step
 * that took its place.
 */
export class DragCount {
  readonly #steps: number;
  readonly #stepsPerGesture: number;
  readonly #gestures: number;
  readonly #endsWithResult: boolean;
  readonly #events: DragEvents;
  #dispatched: Dispatched[] = [];
  #stepped = 0;
  #ended = 0;
  #replaced = 0;

  constructor(gestures: number, stepsPerGesture: number, endsWithResult: boolean, events: DragEvents) {
    this.#gestures = gestures;
    this.#steps = gestures * stepsPerGesture;
    this.#stepsPerGesture = stepsPerGesture;
    this.#endsWithResult = endsWithResult;
    this.#events = events;
  }

  /** Moves that a newer one replaced. */
  get replaced(): number {
    return this.#replaced;
  }

  get complete(): boolean {
    return this.#stepped === this.#steps && this.#ended === (this.#endsWithResult ? this.#gestures : 0);
  }

  dispatched(atUs: number, newestSent: number): void {
    this.#dispatched.push({ atUs, newestSent });
    if (!this.#endsWithResult && this.#dispatched.length === this.#stepsPerGesture) this.#account();
  }

  result(atUs: number): void {
    this.#account();
    this.#ended++;
    this.#events.ended(this.#stepped - 1, atUs);
  }

  #account(): void {
    const last = this.#stepped + this.#stepsPerGesture - 1;
    let replaced = this.#stepsPerGesture - this.#dispatched.length;
    this.#replaced += replaced;
    for (const [index, { atUs, newestSent }] of this.#dispatched.entries()) {
      // `begin` and `end` are never replaced.
      const newest = index === this.#dispatched.length - 1 ? last : index === 0 ? this.#stepped : newestSent;
      for (; replaced > 0 && this.#stepped < newest; replaced--) this.#events.stepped(this.#stepped++, atUs);
      this.#events.stepped(this.#stepped++, atUs);
    }
    this.#dispatched = [];
  }
}
