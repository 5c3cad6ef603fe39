import { WIDTH } from './layout.ts';

/**
 * How the numbers of a piece lie in the file: column by column, each as small as its values allow. Of a thousand taps most columns
 * are one value or differ little, and SQLite writes every byte twice, into its log and then into its place.
 */

/** Bytes of a value of a column that holds whole numbers; 0 where all are the same, and 8 where values are kept as they are. */
const SIZES = [0, 1, 2, 4] as const;
const AS_IT_IS = 8;
/** The size, and the smallest value. */
const HEAD_BYTES = 9;

/** Gives the rows as they are where packing does not make them smaller. */
export function packed(numbers: Float64Array): Buffer {
  const rows = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const bytes = Buffer.allocUnsafe(WIDTH * HEAD_BYTES + rows.byteLength);
  let end = 0;
  for (let column = 0; column < WIDTH; column++) {
    const { size, least } = shapeOf(numbers, column);
    bytes.writeUInt8(size, end);
    bytes.writeDoubleLE(least, end + 1);
    end = put(numbers, column, size, least, bytes, end + HEAD_BYTES);
  }
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
    const size = bytes.readUInt8(at);
    const least = bytes.readDoubleLE(at + 1);
    at += HEAD_BYTES;
    for (let place = column; place < numbers.length; place += WIDTH, at += size) {
      if (size === 0) numbers[place] = least;
      else if (size === AS_IT_IS) numbers[place] = bytes.readDoubleLE(at);
      else numbers[place] = least + wholeAt(bytes, at, size);
    }
  }
  return numbers;
}

/** As `readUIntLE`, without its checks: a page of a long history reads a hundred thousand of them. */
function wholeAt(bytes: Buffer, at: number, size: number): number {
  let value = bytes[at] as number;
  if (size > 1) value += (bytes[at + 1] as number) * 0x100;
  if (size > 2) value += (bytes[at + 2] as number) * 0x1_0000 + (bytes[at + 3] as number) * 0x100_0000;
  return value;
}

function shapeOf(numbers: Float64Array, column: number): { readonly size: number; readonly least: number } {
  const first = numbers[column] as number;
  if (isOneValue(numbers, column)) return { size: 0, least: first };
  let least = first;
  let most = first;
  for (let place = column; place < numbers.length; place += WIDTH) {
    const value = numbers[place] as number;
    // A fraction, `NaN` or -0.
    if (!Number.isSafeInteger(value) || (value === 0 && Object.is(value, -0))) return { size: AS_IT_IS, least };
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return { size: SIZES.find((bytes) => most - least < 2 ** (bytes * 8)) ?? AS_IT_IS, least };
}

function isOneValue(numbers: Float64Array, column: number): boolean {
  const first = numbers[column];
  for (let place = column; place < numbers.length; place += WIDTH) {
    const value = numbers[place];
    if ((value !== first || value === 0) && !Object.is(value, first)) return false;
  }
  return true;
}

/** Gives the end of the column. */
function put(numbers: Float64Array, column: number, size: number, least: number, to: Buffer, from: number): number {
  let at = from;
  if (size === 0) return at;
  for (let place = column; place < numbers.length; place += WIDTH) {
    const value = numbers[place] as number;
    if (size === AS_IT_IS) {
      to.writeDoubleLE(value, at);
    } else {
      let rest = value - least;
      to[at] = rest;
      for (let next = 1; next < size; next++) {
        rest >>>= 8;
        to[at + next] = rest;
      }
    }
    at += size;
  }
  return at;
}
