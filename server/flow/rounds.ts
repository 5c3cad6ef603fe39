import { Fifo } from './fifo.ts';

/**
 * A round-robin queue: each holder has a queue of its own, and the queues take turns. However many items one holder has
 * waiting, another holder's first item waits behind at most one of each.
 */
export class Rounds<T> {
  /** In the order of their turns. */
  readonly #lines = new Map<string, Fifo<T>>();

  /** How many holders have something waiting. */
  get size(): number {
    return this.#lines.size;
  }

  push(holder: string, item: T): void {
    let line = this.#lines.get(holder);
    if (!line) {
      line = new Fifo<T>();
      this.#lines.set(holder, line);
    }
    line.push(item);
  }

  /** Takes the next item, of the first holder in turn that `may` have one taken; `undefined` when there is none. */
  take(may: (holder: string) => boolean = () => true): { readonly holder: string; readonly item: T } | undefined {
    for (const [holder, line] of this.#lines) {
      if (!may(holder)) continue;
      const item = line.shift() as T;
      // Behind the others, or gone: a holder costs nothing while it has nothing waiting.
      this.#lines.delete(holder);
      if (line.size > 0) this.#lines.set(holder, line);
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
