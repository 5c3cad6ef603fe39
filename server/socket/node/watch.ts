import { ShortLivedMap } from '../../flow/short-lived-map.ts';

/** Is looked at again and again, for as long as it is watched. */
export interface Watched {
  look(): void;
}

/** One timer for many connections: it runs while there are any. */
export class Watch {
  readonly #periodMs: number;
  readonly #watched = new ShortLivedMap<number, Watched>((number) => number);
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param periodMs how often each is looked at */
  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** Returns its number, by which it is removed. */
  add(watched: Watched): number {
    this.#watched.set(++this.#last, watched);
    // A connection that is open keeps the process by itself.
    this.#timer ??= setInterval(() => this.#look(), this.#periodMs).unref();
    return this.#last;
  }

  remove(number: number): void {
    this.#watched.take(number);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const watched of [...this.#watched.values()]) watched.look();
  }
}
