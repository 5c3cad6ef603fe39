/** A bounded buffer of pushed values for a consumer that takes them one at a time. */
export class Buffered<T> implements AsyncIterableIterator<T> {
  readonly #values: T[] = [];
  readonly #waiting: ((result: IteratorResult<T> | Promise<never>) => void)[] = [];
  readonly #max: number;
  readonly #onReturn: () => void;
  #ending: { readonly error?: unknown } | undefined;

  /**
   * @param max values kept for a slow consumer; past it the iteration fails rather than grow, or lose something unseen
   * @param onReturn called once, when the consumer stops or the values end
   */
  constructor(max: number, onReturn: () => void) {
    this.#max = max;
    this.#onReturn = onReturn;
  }

  get ended(): boolean {
    return this.#ending !== undefined;
  }

  push(value: T): void {
    if (this.#ending) return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ done: false, value });
    else if (this.#values.length < this.#max) this.#values.push(value);
    else this.end({ error: new Error(`More than ${this.#max} values wait to be read.`) });
  }

  /** Ends the values. Buffered ones can still be read; then the iteration ends, or fails with `error`. */
  end(ending: { readonly error?: unknown } = {}): void {
    if (this.#ending) return;
    this.#ending = ending;
    for (const waiting of this.#waiting.splice(0)) waiting(this.#last());
    this.#onReturn();
  }

  next(): Promise<IteratorResult<T>> {
    const [value] = this.#values;
    if (this.#values.length > 0) {
      this.#values.shift();
      return Promise.resolve({ done: false, value: value as T });
    }
    if (this.#ending) return Promise.resolve(this.#last());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<T>> {
    this.#values.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #last(): IteratorResult<T> | Promise<never> {
    const { error } = this.#ending ?? {};
    if (error === undefined) return { done: true, value: undefined };
    this.#ending = {};
    return Promise.reject(error);
  }
}
