import { Fifo } from './fifo.ts';

/**
 * A round-robin queue: each holder has its own queue, and the queues are served in turn, so the first item of a holder waits
 * behind at most one item of each other holder.
 */
export class RoundRobinQueue<T> {
  /** In round-robin order. */
  readonly #queues = new Map<string, Fifo<T>>();

  /** Number of holders with waiting items. */
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

  /** Takes the next item of the first holder that `may` accepts; `undefined` if there is none. */
  take(may: (holder: string) => boolean = () => true): { readonly holder: string; readonly item: T } | undefined {
    for (const [holder, queue] of this.#queues) {
      if (!may(holder)) continue;
      const item = queue.shift() as T;
      // Moves behind the others; removed if its queue is empty.
      this.#queues.delete(holder);
      if (queue.size > 0) this.#queues.set(holder, queue);
      return { holder, item };
    }
    return undefined;
  }

  /** Takes all items, in no particular order. */
  clear(): T[] {
    const all: T[] = [];
    for (let next = this.take(); next; next = this.take()) all.push(next.item);
    return all;
  }
}
