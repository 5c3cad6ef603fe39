import { readFileSync } from 'node:fs';
import { ACTION_NAMES } from '@runcloud/protocol';

/** Frames made from valid messages of every kind by putting hostile names and values anywhere in them. */

/** A message before it is bytes. Maps are lists of fields, so that they can hold any name, and one twice. */
export type Tree = Scalar | readonly Tree[] | TreeMap;
type Scalar = string | number | boolean | null | Uint8Array;

export class TreeMap {
  readonly fields: readonly (readonly [string, Tree])[];

  constructor(fields: readonly (readonly [string, Tree])[]) {
    this.fields = fields;
  }
}

/** Names that mean something to whoever makes a text, a number, a copy or a promise of an object. */
const NAMES = [
  'toString',
  'valueOf',
  'toJSON',
  'constructor',
  'prototype',
  '__proto__',
  '__defineGetter__',
  'hasOwnProperty',
  'then',
  'catch',
  'length',
  'name',
  'message',
  'code',
  'stack',
  'get',
  'set',
  'size',
  'next',
  'return',
  'buffer',
  'byteLength',
  '0',
  '-1',
  '',
  'type',
  'requestId',
  'action',
  'phase',
  'points',
  'x',
] as const;

const { vectors: VECTORS } = JSON.parse(
  readFileSync(new URL('../vectors/client-messages.json', import.meta.url), 'utf8'),
) as { readonly vectors: readonly { readonly message: Readonly<Record<string, unknown>> }[] };

const point = (x: number, y: number): Tree => map({ x, y });

/** A valid message of every kind, with every field that it may have. */
export const VALID_MESSAGES: readonly TreeMap[] = [
  ...ACTION_NAMES.map((action) => {
    const example = VECTORS.find(({ message }) => message.action === action)?.message;
    return treeOf({ ...example, timeoutMs: 200, acks: 'final' }) as TreeMap;
  }),
  ...['begin', 'move', 'end'].map((phase) =>
    map({ type: 'pointer', requestId: 'p-1', phase, points: [point(0.5, 0.5)], timeoutMs: 200, acks: 'all' }),
  ),
  map({ type: 'cancel', requestId: 'p-1', action: 'pointer' }),
  map({ type: 'screenshot', requestId: 's-1', timeoutMs: 200 }),
  map({ type: 'open-url', requestId: 'u-1', url: 'https://a.example/' }),
  map({ type: 'recording.start', requestId: 'r-2', idempotencyKey: 'k' }),
  map({ type: 'recording.stop', requestId: 'r-3', recordingId: 'rec_1' }),
  map({ type: 'recording.get', requestId: 'r-4', recordingId: 'rec_1' }),
  map({ type: 'recording.list', requestId: 'r-5' }),
  map({ type: 'screen.start', encodings: ['jpeg', 'png'], maxFps: 30, maxLongEdge: 640, quality: 80 }),
  map({ type: 'screen.ack', streamId: 1, seq: 1 }),
  map({ type: 'screen.keyframe', streamId: 1 }),
  map({ type: 'screen.stop', streamId: 1 }),
  map({ type: 'ping', id: 1 }),
];

/** A plain object as a tree. */
export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(treeOf);
  if (typeof value !== 'object' || value === null) return value as Scalar;
  return new TreeMap(Object.entries(value).map(([name, field]) => [name, treeOf(field)]));
}

/** The tree as JSON, as far as JSON can express it. */
export function jsonOf(tree: Tree): string {
  if (tree instanceof Uint8Array) return '""';
  if (tree instanceof TreeMap) {
    return `{${tree.fields.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join(',')}}`;
  }
  if (typeof tree === 'object' && tree !== null) return `[${tree.map(jsonOf).join(',')}]`;
  return JSON.stringify(tree);
}

function map(fields: Readonly<Record<string, Tree>>): TreeMap {
  return new TreeMap(Object.entries(fields));
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Frames without end; the same for the same seed. */
export class HostileFrames {
  readonly #random: (below: number) => number;
  readonly #encoder = new TreeEncoder();
  #made = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** The bytes are overwritten by the next one. */
  next(): Uint8Array {
    let tree = this.mutant(this.#pick(VALID_MESSAGES));
    // Otherwise nearly all would be repetitions of few requests.
    if (tree instanceof TreeMap && this.#random(2) === 0) tree = renamed(tree, `r-${++this.#made}`);
    return this.#encoder.encode(tree);
  }

  /** A copy with one to three changes. */
  mutant(from: Tree): Tree {
    let tree = from;
    for (let changes = 1 + this.#random(3); changes > 0; changes--) tree = this.#changed(tree);
    return tree;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random(items.length)] as T;
  }

  /** A copy with a change somewhere. */
  #changed(tree: Tree): Tree {
    if (tree instanceof TreeMap) return this.#changedMap(tree);
    if (Array.isArray(tree) && tree.length > 0 && this.#random(4) > 0) {
      const at = this.#random(tree.length);
      return tree.map((item, index) => (index === at ? this.#changed(item) : item));
    }
    return this.#hostile(2);
  }

  #changedMap({ fields }: TreeMap): Tree {
    const what = this.#random(10);
    if (what === 0) return this.#hostile(2);
    if (what < 3 || fields.length === 0) {
      const at = this.#random(fields.length + 1);
      const added = [this.#pick(NAMES), this.#hostile(2)] as const;
      return new TreeMap([...fields.slice(0, at), added, ...fields.slice(at)]);
    }
    const at = this.#random(fields.length);
    if (what === 3) return new TreeMap(fields.filter((_, index) => index !== at));
    return new TreeMap(
      fields.map(([name, value], index) => {
        if (index !== at) return [name, value];
        return what === 4 ? [this.#pick(NAMES), value] : [name, this.#changed(value)];
      }),
    );
  }

  #hostile(depth: number): Tree {
    const what = this.#random(depth > 0 ? 12 : 8);
    if (what === 0) return this.#pick([null, true, false]);
    if (what === 1) return this.#pick([0, -0, 1, -1, 0.5, 2 ** 32, 2 ** 53 - 1, -(2 ** 53 - 1), Number.NaN, Infinity]);
    if (what < 4) return this.#pick(NAMES);
    if (what === 4) return this.#pick(['', 'x'.repeat(129), '\ud83d\ude00', 'a\r\nb', '%s', 'begin', 'r-1', 'p-1']);
    if (what === 5) return Uint8Array.of(1, 2, 3);
    if (what === 6) return [];
    if (what === 7) return new TreeMap([]);
    if (what === 8) return [this.#hostile(depth - 1), this.#hostile(depth - 1)];
    const names = 1 + this.#random(3);
    return new TreeMap(Array.from({ length: names }, () => [this.#pick(NAMES), this.#hostile(depth - 1)] as const));
  }
}

/** The same message under another id, where it has one. */
function renamed({ fields }: TreeMap, id: string): TreeMap {
  return new TreeMap(
    fields.map(([name, value]) => (name === 'requestId' && typeof value === 'string' ? [name, id] : [name, value])),
  );
}

/** Writes plain MessagePack: what libraries do not write, such as names that mean something to them, as well. */
class TreeEncoder {
  #bytes = Buffer.allocUnsafeSlow(65_536);
  #at = 0;

  encode(tree: Tree): Uint8Array {
    this.#at = 0;
    this.#write(tree);
    return this.#bytes.subarray(0, this.#at);
  }

  #write(tree: Tree): void {
    if (typeof tree === 'string') return this.#text(tree);
    if (typeof tree === 'number') return this.#number(tree);
    if (typeof tree === 'boolean') return this.#byte(tree ? 0xc3 : 0xc2);
    if (tree === null) return this.#byte(0xc0);
    if (tree instanceof Uint8Array) {
      this.#byte(0xc4);
      this.#byte(tree.length);
      for (const byte of tree) this.#byte(byte);
    } else if (tree instanceof TreeMap) {
      this.#byte(0x80 + tree.fields.length);
      for (const [name, value] of tree.fields) {
        this.#text(name);
        this.#write(value);
      }
    } else {
      this.#byte(0x90 + tree.length);
      for (const item of tree) this.#write(item);
    }
  }

  #number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < 128 && !Object.is(value, -0)) return this.#byte(value);
    this.#byte(0xcb);
    this.#at = this.#bytes.writeDoubleBE(value, this.#at);
  }

  #text(text: string): void {
    const size = Buffer.byteLength(text);
    if (size < 32) this.#byte(0xa0 + size);
    else {
      this.#byte(0xda);
      this.#at = this.#bytes.writeUInt16BE(size, this.#at);
    }
    this.#at += this.#bytes.write(text, this.#at);
  }

  #byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }
}
