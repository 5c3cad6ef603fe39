/** An item of a linked queue. It can be in one queue at a time. */
export interface QueueNode<T> {
  previous: T | undefined;
  next: T | undefined;
}

/**
 * A doubly linked queue whose links are fields of its items, so that adding and removing anywhere need no memory and no
 * search.
 */
export class LinkedQueue<T extends QueueNode<T>> {
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
  push(node: T): void {
    node.previous = this.#last;
    if (this.#last) this.#last.next = node;
    else this.#first = node;
    this.#last = node;
    this.#size++;
  }

  /** Removes an item, which must be in this queue. */
  remove(node: T): void {
    const { previous, next } = node;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    node.previous = undefined;
    node.next = undefined;
    this.#size--;
  }

  /** From first to last. The current item may be removed during the iteration. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let node = this.#first; node; ) {
      const { next } = node;
      yield node;
      node = next;
    }
  }
}
