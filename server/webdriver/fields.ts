import { WebDriverFailure } from './failure.ts';

/** The parameters of a command, read one by one; what is not of its type is an `invalid argument` that is named. */
export class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrong(path || 'the body', 'an object');
    this.#fields = value as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  raw(name: string): unknown {
    return this.#fields[name];
  }

  text(name: string): string {
    const value = this.#fields[name];
    if (typeof value !== 'string') throw this.#wrong(name, 'a text');
    return value;
  }

  number(name: string, least = -Number.MAX_VALUE, most = Number.MAX_VALUE): number {
    const value = this.#fields[name];
    if (typeof value !== 'number' || !(value >= least && value <= most)) {
      const from = least === -Number.MAX_VALUE ? '' : ` from ${least} to ${most}`;
      throw this.#wrong(name, `a number${from}`);
    }
    return value;
  }

  list(name: string): readonly unknown[] {
    const value = this.#fields[name];
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list');
    return value;
  }

  object(name: string): Fields {
    return new Fields(this.#fields[name], this.#at(name));
  }

  /** What a field has, where it is there. */
  maybe<T>(name: string, read: (fields: this, name: string) => T): T | undefined {
    return this.has(name) ? read(this, name) : undefined;
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #wrong(name: string, what: string): WebDriverFailure {
    return wrong(this.#at(name), what);
  }
}

const wrong = (name: string, what: string): WebDriverFailure =>
  new WebDriverFailure('invalid argument', `${JSON.stringify(name)} must be ${what}.`);
