import { PackageFault } from '../archive/package-fault.ts';
import { ByteReader } from './byte-reader.ts';
import { CHUNK, type Chunk, chunkAt, chunksIn, type ResourceValue, resourceValue } from './chunks.ts';
import { StringPool } from './string-pool.ts';

/** Type chunks of one table: one for each type and configuration; large apps have some thousand. */
const TYPES_MAX = 50_000;
/** References that lead to references. */
const REFERENCES_MAX = 16;
/** Entries looked at for one package, so that references which branch come to an end. */
const STEPS_MAX = 1_000_000;
const NO_ENTRY = 0xffffffff;
const NO_ENTRY_16 = 0xffff;
const SPARSE = 0x01;
const OFFSETS_16 = 0x02;
const COMPLEX = 0x0001;
const COMPACT = 0x0008;

/** One value of a resource, and the configuration that it is for. */
export interface Variant {
  readonly value: ResourceValue;
  /** Dots per inch; 0 is any, 0xfffe and 0xffff are "any" and "none". */
  readonly density: number;
  /** Packed language code; 0 is every language. */
  readonly language: number;
  readonly sdkVersion: number;
}

/** `en`, as the table packs it. */
const ENGLISH = 0x6e65;

/** Looks values up in `resources.arsc` (Android's `ResTable`) where they lie; nothing is decoded ahead. */
export class ResourceTable {
  readonly #reader: ByteReader;
  /** By package and type, as the upper 16 bits of a resource's id name them. */
  readonly #types = new Map<number, Chunk[]>();
  readonly #pool: StringPool | undefined;
  #steps = 0;

  /** Throws `PackageFault` for what is no table. */
  constructor(bytes: Buffer) {
    this.#reader = new ByteReader(bytes, 'resources.arsc');
    const table = chunkAt(this.#reader, 0);
    if (table.type !== CHUNK.table) throw new PackageFault('resources.arsc is not a resource table.');
    let types = 0;
    for (const chunk of chunksIn(this.#reader, table.headerBytes, table.end)) {
      if (chunk.type === CHUNK.stringPool) this.#pool ??= new StringPool(this.#reader, chunk.at);
      if (chunk.type !== CHUNK.tablePackage) continue;
      const packageId = this.#reader.u32(chunk.at + 8);
      for (const inner of chunksIn(this.#reader, chunk.at + chunk.headerBytes, chunk.end)) {
        if (inner.type !== CHUNK.tableType) continue;
        if (++types > TYPES_MAX) throw new PackageFault(`resources.arsc has more than ${TYPES_MAX} types.`);
        const kind = ((packageId << 8) | this.#reader.u8(inner.at + 8)) & 0xffff;
        const known = this.#types.get(kind);
        if (known) known.push(inner);
        else this.#types.set(kind, [inner]);
      }
    }
  }

  /** Every value of a resource, references followed. */
  variants(id: number, depth = 0): Variant[] {
    if (depth > REFERENCES_MAX) return [];
    const types = this.#types.get(id >>> 16) ?? [];
    const found: Variant[] = [];
    this.#step(types.length);
    for (const type of types) {
      const value = this.#valueIn(type, id & 0xffff);
      if (!value) continue;
      const variant = { value, ...this.#configuration(type) };
      if (value.kind === 'reference') {
        const next = this.best(value.id, depth + 1);
        if (next) found.push({ ...variant, value: next });
      } else found.push(variant);
    }
    return found;
  }

  /** The value that a current device in English would take. */
  best(id: number, depth = 0): ResourceValue | undefined {
    const rank = ({ language, sdkVersion }: Variant) =>
      (language === 0 ? 2_000_000 : language === ENGLISH ? 1_000_000 : 0) + sdkVersion;
    let best: Variant | undefined;
    for (const variant of this.variants(id, depth)) if (!best || rank(variant) > rank(best)) best = variant;
    return best?.value;
  }

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > STEPS_MAX) throw new PackageFault('resources.arsc has references that take too long to follow.');
  }

  #configuration({ at }: Chunk): Omit<Variant, 'value'> {
    const config = at + 20;
    const size = this.#reader.u32(config);
    return {
      language: this.#reader.u16(config + 8),
      density: this.#reader.u16(config + 14),
      sdkVersion: size >= 28 ? this.#reader.u16(config + 24) : 0,
    };
  }

  #valueIn(type: Chunk, entry: number): ResourceValue | undefined {
    const reader = this.#reader;
    const offset = this.#entryOffset(type, entry);
    if (offset === undefined) return undefined;
    const at = type.at + reader.u32(type.at + 16) + offset;
    if (at + 8 > type.end) throw new PackageFault('resources.arsc has an entry that leaves its type.');
    const flags = reader.u16(at + 2);
    const text = (index: number) => this.#pool?.get(index);
    if (flags & COMPACT) return resourceValue(flags >>> 8, reader.u32(at + 4), text);
    if (flags & COMPLEX) return undefined;
    const value = at + reader.u16(at);
    return resourceValue(reader.u8(value + 3), reader.u32(value + 4), text);
  }

  /** Where the entry begins, from the type's first entry. */
  #entryOffset(type: Chunk, entry: number): number | undefined {
    const reader = this.#reader;
    const flags = reader.u8(type.at + 9);
    const count = reader.u32(type.at + 12);
    const offsets = type.at + type.headerBytes;
    if (offsets + count * (flags & OFFSETS_16 ? 2 : 4) > type.end) {
      throw new PackageFault('resources.arsc has a type whose entries leave it.');
    }
    if (flags & SPARSE) {
      this.#step(count);
      for (let index = 0; index < count; index++) {
        if (reader.u16(offsets + index * 4) === entry) return reader.u16(offsets + index * 4 + 2) * 4;
      }
      return undefined;
    }
    if (entry >= count) return undefined;
    if (flags & OFFSETS_16) {
      const offset = reader.u16(offsets + entry * 2);
      return offset === NO_ENTRY_16 ? undefined : offset * 4;
    }
    const offset = reader.u32(offsets + entry * 4);
    return offset === NO_ENTRY ? undefined : offset;
  }
}
