/**
 * First in, first out, of rows of numbers, all in one piece of memory. As objects they would lie scattered over the heap,
 * a number with a fraction beside its object: for a thousand holders that take turns, fetching them costs more than what
 * is done with them. Nothing is allocated once it is as long as it gets.
 */
export class NumberRing {
  readonly #width: number;
  #values: Float64Array;
  /** Rows. The capacity is a power of two. */
  #capacity: number;
  #head = 0;
  #size = 0;

  /**
   * @param width numbers of a row
   * @param capacity rows that there is room for before it grows, a power of two
   */
  constructor(width: number, capacity: number) {
    this.#width = width;
    this.#capacity = capacity;
    this.#values = new Float64Array(width * capacity);
  }

  /** Rows that it holds. */
  get size(): number {
    return this.#size;
  }

  /** The numbers of all rows, each of them from where `at` or `push` says; valid until the next push. */
  get values(): Float64Array {
    return this.#values;
  }

  /** Where the row of this age begins, 0 for the oldest; one that is not held has no meaning. */
  at(place: number): number {
    return ((this.#head + place) & (this.#capacity - 1)) * this.#width;
  }

  /** Adds a row, whose numbers are all to be written, and tells where it begins. */
  push(): number {
    if (this.#size === this.#capacity) this.#grow();
    return this.at(this.#size++);
  }

  /** Forgets the oldest row, whose numbers stay until the next push. */
  shift(): void {
    if (this.#size === 0) return;
    this.#head = (this.#head + 1) & (this.#capacity - 1);
    this.#size--;
  }

  #grow(): void {
    const head = this.#head * this.#width;
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values.subarray(head));
    values.set(this.#values.subarray(0, head), this.#values.length - head);
    this.#values = values;
    this.#capacity *= 2;
    this.#head = 0;
  }
}
