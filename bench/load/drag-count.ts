/** Progress of a drag, as its answers report it. */
export interface DragEvents {
  /** The step with this number, or a newer one that replaced it, was dispatched to the device. */
  stepped(step: number, atUs: number): void;
  /** The device has taken the whole gesture whose last step has this number. */
  ended(lastStep: number, atUs: number): void;
}

interface Dispatched {
  readonly atUs: number;
  /** The newest step that had been sent at that time. */
  readonly newestSent: number;
}

/**
 * Assigns answers to steps. `dispatched` messages come in the order of the steps and do not name them. As long as no move is
 * replaced by a newer one, the n-th message belongs to step n. The number of replaced moves is known at the gesture's end:
 * each message is then assigned to the newest possible step until all steps are accounted for. The latency of a replaced
 * move ends with the step that replaced it.
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

  /** Number of moves that were replaced by a newer one. */
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
