import { Fifo } from './fifo.ts';

/**
 * A round-robin queue: each holder has a queue of its own, and the queues take turns. However many items one holder has
 * waiting, another holder's first item waits behind at most one of each.
 */
export class RoundRobinQueue<T> {
  /** In the order of their turns. */
  readonly #queues = new Map<string, Fifo<T>>();

  /** How many holders have something waiting. */
  get size(): number {
    return this.#queues.size;
  }

  push(holder: string, item: T): void {
    let queue = this.#queues.get(holder);
    if (!queue) {
      queue = new Fifo<T>();
      this.#queues.set(holder, queue);
    }
    queue.push(item);
  }

  /** Takes the next item, of the first holder in turn that `may` have one taken; `undefined` when there is none. */
  take(may: (holder: string) => boolean = () => true): { readonly holder: string; readonly item: T } | undefined {
    for (const [holder, queue] of this.#queues) {
      if (!may(holder)) continue;
      const item = queue.shift() as T;
      // Behind the others, or gone: a holder costs nothing while it has nothing waiting.
      this.#queues.delete(holder);
      if (queue.size > 0) this.#queues.set(holder, queue);
      return { holder, item };
    }
    return undefined;
  }

  /** Takes all that waits, in no particular order. */
  clear(): T[] {
    const all: T[] = [];
    for (let next = this.take(); next; next = this.take()) all.push(next.item);
    return all;
  }
}
