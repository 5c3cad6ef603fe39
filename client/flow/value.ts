import type { LineCounter } from 'yaml';
import { FlowFault, type Place } from './fault.ts';
import { didYouMean } from './nearest.ts';
import { replaced, type Variables } from './variables.ts';

/** The library that reads YAML, which is loaded when there is a flow: no other command waits for it. */
export type Yaml = typeof import('yaml');

/** A file that is being read. */
export interface Source {
  readonly yaml: Yaml;
  /** As it is told to people. */
  readonly file: string;
  readonly lines: LineCounter;
}

/** One value of a YAML document, with its place. Reading it throws a `FlowFault` where it is not what it has to be. */
export class Value {
  readonly place: Place;
  readonly #node: unknown;
  readonly #source: Source;
  readonly #variables: Variables;

  /** @param offset where it stands, if the node does not say so */
  constructor(node: unknown, source: Source, variables: Variables, offset = 0) {
    this.#node = node;
    this.#source = source;
    this.#variables = variables;
    const { line, col } = source.lines.linePos(startOf(node) ?? offset);
    this.place = { file: source.file, line, column: col };
  }

  /** The same with other variables. */
  with(variables: Variables): Value {
    return new Value(this.#node, this.#source, variables, this.#offset);
  }

  /** Nothing, at the same place. */
  nothing(): Value {
    return new Value(undefined, this.#source, this.#variables, startOf(this.#node));
  }

  get isAbsent(): boolean {
    return (
      this.#node === null ||
      this.#node === undefined ||
      (this.#source.yaml.isScalar(this.#node) && this.#node.value === null)
    );
  }

  get isScalar(): boolean {
    return this.#source.yaml.isScalar(this.#node) && !this.isAbsent;
  }

  get isList(): boolean {
    return this.#source.yaml.isSeq(this.#node);
  }

  get isRecord(): boolean {
    return this.#source.yaml.isMap(this.#node);
  }

  /** As it is written, with its variables by name. */
  get written(): string {
    if (!this.#source.yaml.isScalar(this.#node)) return '';
    const { source, value, type } = this.#node;
    // A plain number is the text that it is written as.
    return type === 'PLAIN' && source !== undefined ? source : String(value);
  }

  /** A text, with the values of its variables. */
  text(what = 'a text'): string {
    if (!this.isScalar) throw this.fault(`This must be ${what}.`);
    return replaced(this.written, this.#variables, this.place);
  }

  number(what: string, min: number, max: number): number {
    const text = this.text(what).replaceAll('_', '').trim();
    const number = text === '' ? Number.NaN : Number(text);
    if (number >= min && number <= max) return number;
    throw this.fault(`This must be ${what}, ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`);
  }

  whole(what: string, min: number, max: number): number {
    const number = this.number(what, min, max);
    if (Number.isInteger(number)) return number;
    throw this.fault(`This must be ${what}, a whole number.`);
  }

  flag(): boolean {
    const text = this.text('true or false').toLowerCase();
    if (text !== 'true' && text !== 'false') throw this.fault('This must be true or false.');
    return text === 'true';
  }

  oneOf<T extends string>(known: readonly T[]): T {
    const text = this.text(`one of ${known.join(', ')}`);
    const found = known.find((one) => one.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw this.fault(`"${text}" must be one of ${known.join(', ')}.${didYouMean(text, known)}`);
  }

  list(what: string): readonly Value[] {
    if (!this.#source.yaml.isSeq(this.#node)) throw this.fault(`This must be a list of ${what}.`);
    return this.#node.items.map((item) => this.#within(item));
  }

  /** The fields of a record by name, each with the place of its name. */
  entries(what: string): ReadonlyMap<string, Value> {
    if (!this.#source.yaml.isMap(this.#node)) throw this.fault(`This must be ${what}.`);
    const entries = new Map<string, Value>();
    for (const { key, value } of this.#node.items) {
      const name = this.#within(key);
      if (!name.isScalar) throw name.fault('A name must be a text.');
      entries.set(name.written, new Value(value, this.#source, this.#variables, startOf(key)));
    }
    return entries;
  }

  /**
   * The fields of a record with known names.
   * @param refused names that the format has and that cannot be done here, each with the reason
   */
  record<Name extends string>(
    what: string,
    known: readonly Name[],
    refused: Readonly<Record<string, string>> = {},
  ): Readonly<Partial<Record<Name, Value>>> {
    const entries = this.entries(what);
    for (const [name, value] of entries) {
      if ((known as readonly string[]).includes(name)) continue;
      const reason = refused[name];
      if (reason !== undefined) throw value.fault(`"${name}" is not supported: ${reason}.`);
      throw value.fault(`"${name}" is unknown in ${what}.${didYouMean(name, known)}`);
    }
    return Object.fromEntries([...entries].filter(([, value]) => !value.isAbsent)) as Partial<Record<Name, Value>>;
  }

  fault(sentence: string): FlowFault {
    return new FlowFault(this.place, sentence);
  }

  get #offset(): number {
    return this.#source.lines.lineStarts[this.place.line - 1] ?? 0;
  }

  #within(node: unknown): Value {
    return new Value(node, this.#source, this.#variables, startOf(this.#node));
  }
}

function startOf(node: unknown): number | undefined {
  const { range } = (node ?? {}) as { readonly range?: readonly number[] | null };
  return range?.[0];
}
