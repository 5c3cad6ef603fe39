import { WIDTH } from './layout.ts';

/**
 * How the numbers of a piece lie in the file: column by column, each as small as its values allow, or their differences where
 * those are smaller. Of a thousand taps most columns are one value or go up in even steps, and SQLite writes every byte twice, into
 * its log and then into its place.
 */

/** Bytes of a whole number of a column, after the smallest was taken off; 0 where all are the same. */
const SIZES = [0, 1, 2, 4] as const;
/** Values are kept as they are. */
const AS_IT_IS = 8;
/** Added to the size: the first value follows the smallest, and then come the differences of neighbours. */
const DIFFERENCES = 0x10;
const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** The size, and the smallest value. */
const HEAD_BYTES = 1 + DOUBLE_BYTES;
const HEAD_BYTES_MAX = HEAD_BYTES + DOUBLE_BYTES;

/** Gives the rows as they are where packing does not make them smaller. */
export function packed(numbers: Float64Array): Buffer {
  const rows = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const bytes = Buffer.allocUnsafe(WIDTH * HEAD_BYTES_MAX + rows.byteLength);
  let end = 0;
  for (let column = 0; column < WIDTH; column++) end = put(numbers, column, bytes, end);
  return end < rows.byteLength ? bytes.subarray(0, end) : rows;
}

/** @param count how many rows there are */
export function unpacked(bytes: Buffer, count: number): Float64Array {
  const numbers = new Float64Array(count * WIDTH);
  if (bytes.byteLength === numbers.byteLength) {
    // SQLite's bytes need not begin at a multiple of eight.
    new Uint8Array(numbers.buffer).set(bytes);
    return numbers;
  }
  let at = 0;
  for (let column = 0; column < WIDTH; column++) at = take(numbers, column, bytes, at);
  return numbers;
}

/** Gives the end of the column. */
function take(numbers: Float64Array, column: number, bytes: Buffer, from: number): number {
  const kind = bytes[from] as number;
  const isSteps = kind >= DIFFERENCES;
  const size = isSteps ? kind - DIFFERENCES : kind;
  const least = bytes.readDoubleLE(from + 1);
  let at = from + HEAD_BYTES;
  let place = column;
  let before = 0;
  if (isSteps) {
    before = bytes.readDoubleLE(at);
    numbers[place] = before;
    at += DOUBLE_BYTES;
    place += WIDTH;
  }
  for (; place < numbers.length; place += WIDTH, at += size) {
    if (size === AS_IT_IS) {
      numbers[place] = bytes.readDoubleLE(at);
      continue;
    }
    const value = size === 0 ? least : least + wholeAt(bytes, at, size);
    numbers[place] = isSteps ? before + value : value;
    if (isSteps) before += value;
  }
  return at;
}

/** As `readUIntLE`, without its checks: a page of a long history reads a hundred thousand of them. */
function wholeAt(bytes: Buffer, at: number, size: number): number {
  let value = bytes[at] as number;
  if (size > 1) value += (bytes[at + 1] as number) * 0x100;
  if (size > 2) value += (bytes[at + 2] as number) * 0x1_0000 + (bytes[at + 3] as number) * 0x100_0000;
  return value;
}

/** Gives the end of the column. */
function put(numbers: Float64Array, column: number, to: Buffer, from: number): number {
  const first = numbers[column] as number;
  if (isOneValue(numbers, column)) return putHead(0, first, to, from);
  let least = first;
  let most = first;
  let leastStep = Number.POSITIVE_INFINITY;
  let mostStep = Number.NEGATIVE_INFINITY;
  let before = first;
  for (let place = column; place < numbers.length; place += WIDTH) {
    const value = numbers[place] as number;
    // A fraction, `NaN` or -0.
    if (!Number.isSafeInteger(value) || (value === 0 && Object.is(value, -0)))
      return putAsItIs(numbers, column, to, from);
    if (value < least) least = value;
    else if (value > most) most = value;
    const step = value - before;
    before = value;
    if (place === column) continue;
    if (step < leastStep) leastStep = step;
    if (step > mostStep) mostStep = step;
  }
  const count = numbers.length / WIDTH;
  const size = sizeOf(least, most);
  const stepSize = sizeOf(leastStep, mostStep);
  // The first value of differences costs eight bytes more.
  const isSteps = stepSize !== AS_IT_IS && DOUBLE_BYTES + stepSize * (count - 1) < size * count;
  if (isSteps) return putWholes(numbers, column, stepSize, leastStep, isSteps, to, from);
  if (size === AS_IT_IS) return putAsItIs(numbers, column, to, from);
  return putWholes(numbers, column, size, least, isSteps, to, from);
}

/** Of whole numbers. Every difference of two that are kept so can be told exactly. */
const sizeOf = (least: number, most: number): number =>
  Number.isSafeInteger(least) && Number.isSafeInteger(most)
    ? (SIZES.find((bytes) => most - least < 2 ** (bytes * 8)) ?? AS_IT_IS)
    : AS_IT_IS;

function isOneValue(numbers: Float64Array, column: number): boolean {
  const first = numbers[column];
  for (let place = column; place < numbers.length; place += WIDTH) {
    const value = numbers[place];
    if ((value !== first || value === 0) && !Object.is(value, first)) return false;
  }
  return true;
}

function putHead(kind: number, least: number, to: Buffer, from: number): number {
  to[from] = kind;
  return to.writeDoubleLE(least, from + 1);
}

function putAsItIs(numbers: Float64Array, column: number, to: Buffer, from: number): number {
  let at = putHead(AS_IT_IS, 0, to, from);
  for (let place = column; place < numbers.length; place += WIDTH) at = to.writeDoubleLE(numbers[place] as number, at);
  return at;
}

/** @param isSteps whether they are the differences of the values */
function putWholes(
  numbers: Float64Array,
  column: number,
  size: number,
  least: number,
  isSteps: boolean,
  to: Buffer,
  from: number,
): number {
  let at = putHead(isSteps ? size + DIFFERENCES : size, least, to, from);
  let place = column;
  let before = 0;
  if (isSteps) {
    before = numbers[place] as number;
    at = to.writeDoubleLE(before, at);
    place += WIDTH;
  }
  if (size === 0) return at;
  for (; place < numbers.length; place += WIDTH, at += size) {
    const value = numbers[place] as number;
    putWhole(value - before - least, size, to, at);
    if (isSteps) before = value;
  }
  return at;
}

function putWhole(value: number, size: number, to: Buffer, at: number): void {
  let rest = value;
  to[at] = rest;
  for (let next = 1; next < size; next++) {
    rest >>>= 8;
    to[at + next] = rest;
  }
}
