/**
 * A ring buffer of rows of numbers in one typed array. As objects they would be scattered over the heap, with boxed fractions:
 * for a thousand viewers served in turn, the cache misses cost more than the computation. After its largest size it allocates
 * nothing.
 */
export class NumberRing {
  readonly #width: number;
  #values: Float64Array;
  /** Capacity in rows, a power of two. */
  #capacity: number;
  #head = 0;
  #size = 0;

  /**
   * @param width numbers in a row
   * @param capacity initial capacity in rows, a power of two
   */
  constructor(width: number, capacity: number) {
    this.#width = width;
    this.#capacity = capacity;
    this.#values = new Float64Array(width * capacity);
  }

  /** Number of rows. */
  get size(): number {
    return this.#size;
  }

  /** The numbers of all rows; `at` and `push` return the index of a row's first number. Valid until the next push. */
  get values(): Float64Array {
    return this.#values;
  }

  /** Index of the first number of row `age`, 0 for the oldest; undefined behaviour for a row that does not exist. */
  at(place: number): number {
    return ((this.#head + place) & (this.#capacity - 1)) * this.#width;
  }

  /** Adds a row, all of whose numbers the caller must write, and returns the index of its first number. */
  push(): number {
    if (this.#size === this.#capacity) this.#grow();
    return this.at(this.#size++);
  }

  /** Removes the oldest row; its numbers stay readable until the next push. */
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
