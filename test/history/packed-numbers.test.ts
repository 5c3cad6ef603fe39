import t from 'tap';
import {
  ACCEPTED,
  BY,
  DISPATCHED,
  DURATION,
  INPUT_SEQ,
  NOT_YET,
  OUTCOME,
  WIDTH,
  X,
  Y,
} from '../../server/history/layout.ts';
import { packed, unpacked } from '../../server/history/packed-numbers.ts';

const START_MS = 1_700_000_000_000;

/** Rows whose columns the function gives. */
function rowsOf(count: number, row: (index: number) => Readonly<Record<number, number>>): Float64Array {
  const numbers = new Float64Array(count * WIDTH);
  for (let index = 0; index < count; index++) {
    for (const [column, value] of Object.entries(row(index))) numbers[index * WIDTH + Number(column)] = value;
  }
  return numbers;
}

const tapped = (index: number) => ({
  [BY]: 1,
  [ACCEPTED]: START_MS + Math.floor(index / 50),
  [DISPATCHED]: index % 3,
  [INPUT_SEQ]: 70_000 + index,
  [DURATION]: index % 7 === 0 ? NOT_YET : 2,
  [OUTCOME]: index % 7 === 0 ? 0 : 1,
  [X]: 0.25,
  [Y]: 0.75,
});

/** Whole numbers, each at most `step` above the one before. */
function climbing(from: number, step: number): () => number {
  let value = from;
  return () => {
    value += Math.floor(Math.random() * (step + 1));
    return value;
  };
}

/** Bit by bit: neither `NaN` nor the sign of a zero gets lost. */
const bits = (numbers: Float64Array): string =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('hex');

t.test('a thousand taps take a twelfth of their numbers, and come back', async (t) => {
  const numbers = rowsOf(1_000, tapped);
  const bytes = packed(numbers);
  t.ok(bytes.byteLength < numbers.byteLength / 12, `${bytes.byteLength} of ${numbers.byteLength}`);
  t.equal(bits(unpacked(bytes, 1_000)), bits(numbers));
});

t.test('places that differ are kept to the last bit', async (t) => {
  const numbers = rowsOf(1_000, (index) => ({ ...tapped(index), [X]: Math.sqrt(index) / 40, [Y]: index / 3_000 }));
  const bytes = packed(numbers);
  t.ok(bytes.byteLength < numbers.byteLength / 2, `${bytes.byteLength} of ${numbers.byteLength}`);
  t.equal(bits(unpacked(bytes, 1_000)), bits(numbers));
});

t.test('whatever the numbers are, they come back', async (t) => {
  const kinds: readonly (() => number)[] = [
    () => Math.floor(Math.random() * 3) - 1,
    () => 250 + Math.floor(Math.random() * 20),
    () => START_MS + Math.floor(Math.random() * 65_536),
    () => Math.floor(Math.random() * 2 ** 33),
    () => 0xffff_ffff - Math.floor(Math.random() * 2),
    () => (Math.random() < 0.5 ? 0 : 0xffff_ffff),
    () => (Math.random() < 0.5 ? 0 : 0x1_0000_0000),
    () => (Math.random() < 0.5 ? 0 : -0),
    () => (Math.random() < 0.5 ? Number.NaN : 0.5),
    () => (Math.random() < 0.5 ? Number.NaN : 7),
    () => Number.NaN,
    () => -0,
    () => (Math.random() < 0.5 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER),
    // Of these the differences are small.
    climbing(1_000_000, 250),
    climbing(-40_000_000, 70_000),
    climbing(START_MS, 0),
    () => Number.MAX_SAFE_INTEGER - Math.floor(Math.random() * 3),
    () => Number.NEGATIVE_INFINITY,
    () => Math.random(),
  ];
  const wrong: string[] = [];
  for (let round = 0; round < 3_000; round++) {
    const count = 1 + Math.floor(Math.random() * 40);
    const columns = Array.from(
      { length: WIDTH },
      () => kinds[Math.floor(Math.random() * kinds.length)] as () => number,
    );
    const numbers = rowsOf(count, () => columns.map((value) => value()));
    if (bits(unpacked(packed(numbers), count)) !== bits(numbers)) wrong.push(bits(numbers));
  }
  t.strictSame(wrong, []);
});

t.test('columns as an earlier version packed them are read', async (t) => {
  // Each column: its size, its smallest value, and what is above that.
  const column = (size: number, least: number, ...above: number[]): Buffer => {
    const bytes = Buffer.alloc(9 + above.length * size);
    bytes.writeUInt8(size, 0);
    bytes.writeDoubleLE(least, 1);
    for (const [index, value] of above.entries()) bytes.writeUIntLE(value, 9 + index * size, size);
    return bytes;
  };
  const columns = [
    column(0, 1),
    column(2, START_MS, 0, 400, 300),
    column(1, 0, 3, 0, 255),
    column(4, 7, 0, 70_000, 1),
    column(0, NOT_YET),
    column(0, 0),
    column(0, 0.25),
    column(0, Number.NaN),
  ];
  const numbers = rowsOf(3, (index) => ({
    [BY]: 1,
    [ACCEPTED]: START_MS + ([0, 400, 300][index] ?? 0),
    [DISPATCHED]: [3, 0, 255][index] ?? 0,
    [INPUT_SEQ]: 7 + ([0, 70_000, 1][index] ?? 0),
    [DURATION]: NOT_YET,
    [OUTCOME]: 0,
    [X]: 0.25,
    [Y]: Number.NaN,
  }));
  t.equal(bits(unpacked(Buffer.concat(columns), 3)), bits(numbers));
});

t.test('rows as they were written before there was packing are read', async (t) => {
  const numbers = rowsOf(5, tapped);
  const bytes = Buffer.concat([Buffer.from('x'), Buffer.from(numbers.buffer)]).subarray(1);
  t.equal(bits(unpacked(bytes, 5)), bits(numbers));
});

t.test('a piece without rows has no bytes', async (t) => {
  t.equal(packed(new Float64Array()).byteLength, 0);
  t.equal(unpacked(Buffer.alloc(0), 0).length, 0);
});
