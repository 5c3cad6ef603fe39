/** Is looked at again and again, for as long as it is watched. */
export interface Watched {
  look(): void;
}

/** One timer for many connections: it runs while there are any. */
export class Watch {
  readonly #periodMs: number;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  /** @param periodMs how often each is looked at */
  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    // A connection that is open keeps the process by itself.
    this.#timer ??= setInterval(() => this.#look(), this.#periodMs).unref();
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const watched of this.#watched) watched.look();
  }
}
