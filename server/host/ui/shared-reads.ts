/** One read, and those who wait for it. */
class Shared<T> {
  readonly #controller = new AbortController();
  readonly #ended: Promise<T>;
  #end!: (value: T | Promise<T>) => void;
  #waiting = 0;

  constructor() {
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    // Nobody may be waiting any more when it fails.
    this.#ended.catch(() => undefined);
  }

  /** Aborted when nobody waits for it any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(value: T | Promise<T>): void {
    this.#end(value);
  }

  /** Settles as the read does; rejects with the signal's reason if that is aborted first. */
  join(signal: AbortSignal): Promise<T> {
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason);
        if (--this.#waiting === 0) this.#controller.abort();
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#ended.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}

/**
 * Makes one read at a time of a source that takes long. Callers that come meanwhile share the next one: the running one may not show
 * what was done before they came.
 */
export class SharedReads<T> {
  readonly #read: (signal: AbortSignal) => T | Promise<T>;
  #running: Shared<T> | undefined;
  #next: Shared<T> | undefined;

  /** @param read a source that answers at once is read at once, and shares nothing */
  constructor(read: (signal: AbortSignal) => T | Promise<T>) {
    this.#read = read;
  }

  read(signal: AbortSignal): T | Promise<T> {
    if (this.#running) {
      this.#next ??= new Shared();
      return this.#next.join(signal);
    }
    const shared = new Shared<T>();
    const value = this.#read(shared.signal);
    if (!(value instanceof Promise)) return value;
    const joined = shared.join(signal);
    this.#run(shared, value);
    return joined;
  }

  #run(shared: Shared<T>, value: Promise<T>): void {
    this.#running = shared;
    shared.end(value);
    value.catch(() => undefined).finally(() => this.#startNext());
  }

  #startNext(): void {
    const next = this.#next;
    this.#running = undefined;
    this.#next = undefined;
    if (!next || next.signal.aborted) return;
    const read = async (): Promise<T> => this.#read(next.signal);
    this.#run(next, read());
  }
}
