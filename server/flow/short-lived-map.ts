/** Entries without a neighbour in the order, and cells without an entry. */
const NONE = -1;
const CAPACITY_MIN = 8;

/**
 * A map whose entries come and go by the thousand, such as pending requests: what `Map` does, in the order of insertion,
 * without making garbage of its own. V8's `Map` makes a new table whenever it has had as many deletions as it has room, and
 * each old table refers to the next. Once one of them has grown old, all that came after it stays alive until a major
 * collection, and every minor collection copies it. This one reuses its cells, so nothing outlives its entry. It grows to the
 * most entries it ever held at once, and stays so large.
 */
export class ShortLivedMap<Key extends number | string, Value> {
  readonly #hashOf: (key: Key) => number;
  #keys: (Key | undefined)[] = [];
  #values: (Value | undefined)[] = [];
  /** The entry behind each entry in the order, or in the list of free ones. */
  #next = new Int32Array();
  #previous = new Int32Array();
  #hashes = new Int32Array();
  /** By hash, the entry; the next cell is tried while one is taken. At most half of the cells are. */
  #table = new Int32Array(1).fill(NONE);
  #first = NONE;
  #last = NONE;
  #free = NONE;
  #size = 0;

  /** @param hashOf 32 bits, of which the low ones spread well */
  constructor(hashOf: (key: Key) => number) {
    this.#hashOf = hashOf;
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#table[this.#cellOf(key, this.#hashOf(key) | 0)] as number;
    return entry === NONE ? undefined : this.#values[entry];
  }

  /** A new key goes to the end; a known one keeps its place. */
  set(key: Key, value: Value): void {
    const hash = this.#hashOf(key) | 0;
    let cell = this.#cellOf(key, hash);
    const known = this.#table[cell] as number;
    if (known !== NONE) {
      this.#values[known] = value;
      return;
    }
    if (this.#free === NONE) {
      this.#grow();
      cell = this.#cellOf(key, hash);
    }
    const entry = this.#free;
    this.#free = this.#next[entry] as number;
    this.#keys[entry] = key;
    this.#values[entry] = value;
    this.#hashes[entry] = hash;
    this.#table[cell] = entry;
    this.#append(entry);
    this.#size++;
  }

  /** Removes an entry and returns its value; `undefined` when there is none. */
  take(key: Key): Value | undefined {
    const cell = this.#cellOf(key, this.#hashOf(key) | 0);
    const entry = this.#table[cell] as number;
    if (entry === NONE) return undefined;
    const value = this.#values[entry];
    this.#leave(cell);
    this.#unlink(entry);
    this.#keys[entry] = undefined;
    this.#values[entry] = undefined;
    this.#next[entry] = this.#free;
    this.#free = entry;
    this.#size--;
    return value;
  }

  /** In the order of insertion. The value that was given last may be taken out meanwhile; for more, copy them first. */
  *values(): Generator<Value, void, undefined> {
    let entry = this.#first;
    while (entry !== NONE) {
      const next = this.#next[entry] as number;
      yield this.#values[entry] as Value;
      entry = next;
    }
  }

  *keys(): Generator<Key, void, undefined> {
    let entry = this.#first;
    while (entry !== NONE) {
      const next = this.#next[entry] as number;
      yield this.#keys[entry] as Key;
      entry = next;
    }
  }

  /** The cell of this key, or the free one where it would be entered. */
  #cellOf(key: Key, hash: number): number {
    const mask = this.#table.length - 1;
    let cell = hash & mask;
    for (let entry = this.#table[cell] as number; entry !== NONE; entry = this.#table[cell] as number) {
      if (this.#hashes[entry] === hash && this.#keys[entry] === key) return cell;
      cell = (cell + 1) & mask;
    }
    return cell;
  }

  /** Frees a cell; those behind it move up, so that no search ends before them. */
  #leave(from: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let free = from;
    for (let cell = (free + 1) & mask; table[cell] !== NONE; cell = (cell + 1) & mask) {
      const home = (this.#hashes[table[cell] as number] as number) & mask;
      if (((cell - home) & mask) < ((cell - free) & mask)) continue;
      table[free] = table[cell] as number;
      free = cell;
    }
    table[free] = NONE;
  }

  #append(entry: number): void {
    this.#next[entry] = NONE;
    this.#previous[entry] = this.#last;
    if (this.#last === NONE) this.#first = entry;
    else this.#next[this.#last] = entry;
    this.#last = entry;
  }

  #unlink(entry: number): void {
    const next = this.#next[entry] as number;
    const previous = this.#previous[entry] as number;
    if (previous === NONE) this.#first = next;
    else this.#next[previous] = next;
    if (next === NONE) this.#last = previous;
    else this.#previous[next] = previous;
  }

  /** Twice the room. All entries are taken, and keep their numbers. */
  #grow(): void {
    const taken = this.#keys.length;
    const capacity = Math.max(CAPACITY_MIN, taken * 2);
    const wider = (from: Int32Array) => {
      const to = new Int32Array(capacity);
      to.set(from);
      return to;
    };
    this.#next = wider(this.#next);
    this.#previous = wider(this.#previous);
    this.#hashes = wider(this.#hashes);
    for (let entry = taken; entry < capacity; entry++) {
      this.#keys.push(undefined);
      this.#values.push(undefined);
      this.#next[entry] = entry + 1 < capacity ? entry + 1 : NONE;
    }
    this.#free = taken;
    this.#table = new Int32Array(capacity * 2).fill(NONE);
    const mask = this.#table.length - 1;
    for (let entry = 0; entry < taken; entry++) {
      let cell = (this.#hashes[entry] as number) & mask;
      while (this.#table[cell] !== NONE) cell = (cell + 1) & mask;
      this.#table[cell] = entry;
    }
  }
}
