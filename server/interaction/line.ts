/** An item of a linked queue. It can be in one queue at a time. */
export interface Standing<T> {
  before: T | undefined;
  behind: T | undefined;
}

/**
 * A doubly linked queue whose links are fields of its items, so that adding and removing anywhere need no memory and no
 * search.
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

  /** Adds an item at the end. It must not be in a queue. */
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

  /** From first to last. The current item may be removed during the iteration. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let one = this.#first; one; ) {
      const { behind } = one;
      yield one;
      one = behind;
    }
  }
}
