import { PackageFault } from '../archive/package-fault.ts';
import type { ByteReader } from './byte-reader.ts';

/** Kinds of chunks in Android's binary resources (`ResourceTypes.h`). */
export const CHUNK = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  xmlStart: 0x0102,
  xmlEnd: 0x0103,
  xmlResourceMap: 0x0180,
  tablePackage: 0x0200,
  tableType: 0x0201,
} as const;

export interface Chunk {
  readonly type: number;
  /** Of the first byte of its header. */
  readonly at: number;
  readonly headerBytes: number;
  /** Just behind its last byte. */
  readonly end: number;
}

const HEADER_BYTES = 8;

export function chunkAt(reader: ByteReader, at: number, limit = reader.size): Chunk {
  const chunk = {
    type: reader.u16(at),
    at,
    headerBytes: reader.u16(at + 2),
    end: at + reader.u32(at + 4),
  };
  // A chunk that does not move on would be read for ever.
  if (chunk.headerBytes < HEADER_BYTES || at + chunk.headerBytes > chunk.end || chunk.end > limit) {
    throw new PackageFault(`${reader.what} has a chunk that is longer than what holds it, or shorter than its header.`);
  }
  return chunk;
}

/** The chunks that lie one after the other from `at` to `end`. */
export function* chunksIn(reader: ByteReader, at: number, end: number): Generator<Chunk> {
  for (let next = at; end - next >= HEADER_BYTES; ) {
    const chunk = chunkAt(reader, next, end);
    yield chunk;
    next = chunk.end;
  }
}

/** A typed value (`Res_value`), as far as anybody here asks. */
export type ResourceValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly id: number }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'other' };

const TYPE = { reference: 0x01, text: 0x03, dynamicReference: 0x07, decimal: 0x10, hexadecimal: 0x11, boolean: 0x12 };

export function resourceValue(type: number, data: number, text: (index: number) => string | undefined): ResourceValue {
  switch (type) {
    case TYPE.text:
      return { kind: 'text', text: text(data) ?? '' };
    case TYPE.reference:
    case TYPE.dynamicReference:
      return { kind: 'reference', id: data };
    case TYPE.decimal:
    case TYPE.hexadecimal:
      return { kind: 'number', number: data | 0 };
    case TYPE.boolean:
      return { kind: 'boolean', value: data !== 0 };
    default:
      return { kind: 'other' };
  }
}
