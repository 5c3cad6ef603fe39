/**
 * First in, first out, of records that are used again: what comes and goes sixty times a second for each of a thousand
 * holders makes no garbage. Whoever pushes writes all fields; what was shifted is valid until the next push.
 */
export class RecordRing<Entry extends object> {
  readonly #make: () => Entry;
  #records: Entry[] = [];
  #head = 0;
  #size = 0;

  /** @param make a record of no meaning */
  constructor(make: () => Entry) {
    this.#make = make;
  }

  get size(): number {
    return this.#size;
  }

  /** The record of this age, 0 for the oldest. */
  at(place: number): Entry | undefined {
    if (place < 0 || place >= this.#size) return undefined;
    return this.#records[this.#place(place)];
  }

  get newest(): Entry | undefined {
    return this.at(this.#size - 1);
  }

  /** The record of what comes now, to be filled in. */
  push(): Entry {
    this.#size++;
    const free = this.#size > this.#records.length ? undefined : this.#records[this.#place(this.#size - 1)];
    return free ?? this.#grow();
  }

  shift(): Entry | undefined {
    const oldest = this.at(0);
    if (oldest === undefined) return undefined;
    this.#head = this.#place(1);
    this.#size--;
    return oldest;
  }

  #place(place: number): number {
    const at = this.#head + place;
    return at < this.#records.length ? at : at - this.#records.length;
  }

  #grow(): Entry {
    this.#records = [...this.#records.slice(this.#head), ...this.#records.slice(0, this.#head)];
    this.#head = 0;
    const made = this.#make();
    this.#records.push(made);
    return made;
  }
}
