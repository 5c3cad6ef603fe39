/**
 * A queue with constant time at both ends. A Map or Set is not: it keeps the slots of deleted entries at its front, and finding
 * the oldest entry walks over all of them.
 */
export class Fifo<T> {
  #items: (T | undefined)[];
  #head = 0;
  #size = 0;

  constructor(capacity = 16) {
    this.#items = new Array<T | undefined>(capacity).fill(undefined);
  }

  get size(): number {
    return this.#size;
  }

  push(item: T): void {
    if (this.#size === this.#items.length) this.#grow();
    this.#items[(this.#head + this.#size) % this.#items.length] = item;
    this.#size++;
  }

  peek(): T | undefined {
    return this.#items[this.#head];
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#size === 0) return undefined;
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#items.length;
    this.#size--;
    return item;
  }

  #grow(): void {
    const rest = this.#items.slice(this.#head).concat(this.#items.slice(0, this.#head));
    this.#items = rest.concat(new Array<T | undefined>(rest.length).fill(undefined));
    this.#head = 0;
  }
}
