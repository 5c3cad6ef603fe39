import { LinkedQueue, type QueueNode } from './linked-queue.ts';

/** An item that waits in the lane of its bearer. */
export interface LaneNode<T> extends QueueNode<T> {
  readonly lane: string;
}

/** Empty lanes to keep, so that no tap makes one anew. */
const KEPT_MAX = 200;

/**
 * A queue with a lane for each bearer, served in turn: within a lane the first comes first, and the first of a lane waits behind one
 * item of each other lane at most, however long these are. With one lane alone it is a plain queue.
 */
export class FairQueue<T extends LaneNode<T>> {
  readonly #lanes = new Map<string, LinkedQueue<T>>();
  /** The lane whose turn it is; absent while all are empty. Mostly it is the only one, which no array is touched for. */
  #current: LinkedQueue<T> | undefined;
  /** The other lanes that are not empty, in the order of their turns. */
  #others: LinkedQueue<T>[] = [];
  /** The lane that was asked for last, which mostly is asked for again. */
  #latest: LinkedQueue<T> | undefined;
  #latestName = '';
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The item whose turn it is. */
  get first(): T | undefined {
    return this.#current?.first;
  }

  /** Adds an item at the end of its lane. */
  push(node: T): void {
    const lane = this.#laneOf(node.lane);
    if (this.#current === undefined) this.#current = lane;
    else if (lane.size === 0) this.#others.push(lane);
    lane.push(node);
    this.#size++;
  }

  /** Takes the first item; the next one is of another lane, if there is one. */
  shift(): T | undefined {
    const lane = this.#current;
    const node = lane?.first;
    if (!lane || !node) return undefined;
    lane.remove(node);
    this.#size--;
    if (this.#others.length > 0) {
      if (lane.size > 0) this.#others.push(lane);
      this.#current = this.#others.shift();
    } else if (lane.size === 0) this.#current = undefined;
    return node;
  }

  /** Removes an item, which must be in this queue. */
  remove(node: T): void {
    const lane = this.#laneOf(node.lane);
    lane.remove(node);
    this.#size--;
    if (lane.size > 0) return;
    if (lane === this.#current) this.#current = this.#others.shift();
    else this.#others = this.#others.filter((one) => one !== lane);
  }

  /** How many items are taken before this one, if no other comes. */
  ahead(node: T): number {
    if (this.#others.length === 0 && !node.next) return this.#size - 1;
    const own = this.#laneOf(node.lane);
    let before = 0;
    for (let one = node.previous; one; one = one.previous) before++;
    let ahead = before;
    let isPast = false;
    for (const lane of this.#ring()) {
      if (lane === own) isPast = true;
      else ahead += Math.min(lane.size, isPast ? before : before + 1);
    }
    return ahead;
  }

  /** All items, lane by lane. The current one may be removed during the iteration. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (const lane of this.#ring()) yield* lane;
  }

  /** The lanes that are not empty now, from the one whose turn it is. */
  #ring(): LinkedQueue<T>[] {
    return this.#current === undefined ? [] : [this.#current, ...this.#others];
  }

  #laneOf(name: string): LinkedQueue<T> {
    if (this.#latest && this.#latestName === name) return this.#latest;
    const lane = this.#lanes.get(name) ?? this.#add(name);
    this.#latest = lane;
    this.#latestName = name;
    return lane;
  }

  #add(name: string): LinkedQueue<T> {
    if (this.#lanes.size >= KEPT_MAX) {
      for (const [other, lane] of this.#lanes) if (lane.size === 0) this.#lanes.delete(other);
    }
    const lane = new LinkedQueue<T>();
    this.#lanes.set(name, lane);
    return lane;
  }
}
