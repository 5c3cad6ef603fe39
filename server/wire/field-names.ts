import { ACTIONS, CLIENT_MESSAGES } from '@runcloud/protocol';
import type { TSchema } from '@sinclair/typebox';

/**
 * Every name that a field of a client's message has, at whatever depth. Decoding a key that was never seen costs a hundred
 * times what the others do, so that such keys are counted before.
 */
interface FieldNames {
  readonly texts: ReadonlySet<string>;
  /** As bytes, in buckets that hold one or two of them. */
  readonly buckets: readonly (readonly Uint8Array[])[];
}

/** Collected at the first question: most who load the contract never ask. */
let known: FieldNames | undefined;

export function isFieldName(name: string): boolean {
  known ??= collect();
  return known.texts.has(name);
}

/** Whether the `size` bytes at `position` are the name of a field. */
export function holdsFieldName(bytes: Uint8Array, position: number, size: number): boolean {
  known ??= collect();
  const bucket = known.buckets[bucketOf(size, bytes[position] ?? 0, bytes[position + size - 1] ?? 0)] ?? [];
  for (const name of bucket) if (name.length === size && holds(bytes, position, name)) return true;
  return false;
}

const bucketOf = (size: number, first: number, last: number): number => (size * 37 + first * 5 + last) & 255;

function holds(bytes: Uint8Array, position: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[position + index] !== expected[index]) return false;
  return true;
}

function collect(): FieldNames {
  const texts = new Set<string>();
  for (const { schema } of [...CLIENT_MESSAGES.values(), ...Object.values(ACTIONS)]) addNames(schema as TSchema, texts);
  const buckets: Uint8Array[][] = Array.from({ length: 256 }, () => []);
  for (const text of texts) {
    const name = new TextEncoder().encode(text);
    buckets[bucketOf(name.length, name[0] ?? 0, name[name.length - 1] ?? 0)]?.push(name);
  }
  return { texts, buckets };
}

function addNames(schema: TSchema, texts: Set<string>): void {
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    texts.add(name);
    addNames(property, texts);
  }
  if (schema.items) addNames(schema.items, texts);
}
