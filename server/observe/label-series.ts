export type LabelValue = string | number;

/** One value for each combination of three label values; labels that a metric does not use are empty. */
export class LabelSeries<T> {
  // Maps within maps: an event then costs three look-ups, and no text is put together for it.
  readonly #tree = new Map<LabelValue, Map<LabelValue, Map<LabelValue, T>>>();
  readonly #make;

  /** `make` gives the value that a combination starts with. Values are changed in place. */
  constructor(make: () => T) {
    this.#make = make;
  }

  at(first: LabelValue, second: LabelValue = '', third: LabelValue = ''): T {
    return this.#tree.get(first)?.get(second)?.get(third) ?? this.#grow(first, second, third);
  }

  *[Symbol.iterator](): IterableIterator<
    readonly [first: LabelValue, second: LabelValue, third: LabelValue, value: T]
  > {
    for (const [first, seconds] of this.#tree) {
      for (const [second, thirds] of seconds) {
        for (const [third, value] of thirds) yield [first, second, third, value];
      }
    }
  }

  #grow(first: LabelValue, second: LabelValue, third: LabelValue): T {
    const seconds = this.#tree.get(first) ?? new Map<LabelValue, Map<LabelValue, T>>();
    const thirds = seconds.get(second) ?? new Map<LabelValue, T>();
    const value = this.#make();
    this.#tree.set(first, seconds.set(second, thirds.set(third, value)));
    return value;
  }
}
