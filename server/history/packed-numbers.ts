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
/** The size, the smallest value, and the first one of differences. */
const HEAD_BYTES_MAX = 17;

interface Shape {
  readonly size: number;
  readonly least: number;
}

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
  for (let column = 0; column < WIDTH; column++) {
    const size = bytes[at] as number;
    const least = bytes.readDoubleLE(at + 1);
    at += 9;
    if (size >= DIFFERENCES) at = takeDifferences(numbers, column, { size: size - DIFFERENCES, least }, bytes, at);
    else at = take(numbers, column, { size, least }, bytes, at);
  }
  return numbers;
}

function take(numbers: Float64Array, column: number, { size, least }: Shape, bytes: Buffer, from: number): number {
  let at = from;
  for (let place = column; place < numbers.length; place += WIDTH, at += size) {
    if (size === 0) numbers[place] = least;
    else if (size === AS_IT_IS) numbers[place] = bytes.readDoubleLE(at);
    else numbers[place] = least + wholeAt(bytes, at, size);
  }
  return at;
}

function takeDifferences(
  to: Float64Array,
  column: number,
  { size, least }: Shape,
  bytes: Buffer,
  from: number,
): number {
  let value = bytes.readDoubleLE(from);
  let at = from + 8;
  to[column] = value;
  for (let place = column + WIDTH; place < to.length; place += WIDTH, at += size) {
    value += size === 0 ? least : least + wholeAt(bytes, at, size);
    to[place] = value;
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
  if (isOneValue(numbers, column)) return putHead({ size: 0, least: first }, to, from);
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
  const size = sizeOf(least, most);
  const stepSize = sizeOf(leastStep, mostStep);
  if (stepSize < size) return putDifferences(numbers, column, { size: stepSize, least: leastStep }, to, from);
  if (size === AS_IT_IS) return putAsItIs(numbers, column, to, from);
  let at = putHead({ size, least }, to, from);
  for (let place = column; place < numbers.length; place += WIDTH, at += size)
    putWhole((numbers[place] as number) - least, size, to, at);
  return at;
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

function putHead({ size, least }: Shape, to: Buffer, from: number): number {
  to[from] = size;
  return to.writeDoubleLE(least, from + 1);
}

function putAsItIs(numbers: Float64Array, column: number, to: Buffer, from: number): number {
  let at = putHead({ size: AS_IT_IS, least: 0 }, to, from);
  for (let place = column; place < numbers.length; place += WIDTH) at = to.writeDoubleLE(numbers[place] as number, at);
  return at;
}

function putDifferences(
  numbers: Float64Array,
  column: number,
  { size, least }: Shape,
  to: Buffer,
  from: number,
): number {
  let before = numbers[column] as number;
  let at = to.writeDoubleLE(before, putHead({ size: size + DIFFERENCES, least }, to, from));
  if (size === 0) return at;
  for (let place = column + WIDTH; place < numbers.length; place += WIDTH, at += size) {
    const value = numbers[place] as number;
    putWhole(value - before - least, size, to, at);
    before = value;
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
