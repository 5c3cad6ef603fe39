/** What can stand in one line at a time. */
export interface Standing<T> {
  before: T | undefined;
  behind: T | undefined;
}

/**
 * A line that is left at its front, and now and then from the middle. Those who stand in it hold on to each other, so that
 * joining and leaving take neither memory nor a search.
 */
export class Line<T extends Standing<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first;
  }

  /** Joins at the end; whoever stands in a line already has to leave that first. */
  join(one: T): void {
    one.before = this.#last;
    if (this.#last) this.#last.behind = one;
    else this.#first = one;
    this.#last = one;
    this.#size++;
  }

  /** Leaves this line; only for one who stands in it. */
  leave(one: T): void {
    const { before, behind } = one;
    if (before) before.behind = behind;
    else this.#first = behind;
    if (behind) behind.before = before;
    else this.#last = before;
    one.before = undefined;
    one.behind = undefined;
    this.#size--;
  }

  /** From the first to the last; whoever is handed out may leave before the next one is asked for. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let one = this.#first; one; ) {
      const { behind } = one;
      yield one;
      one = behind;
    }
  }
}
