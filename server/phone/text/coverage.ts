/**
 * The code points that a font has glyphs for, read from its table `cmap` (OpenType 1.9), since a canvas does not tell: for what is
 * missing it takes any font of the machine.
 */
export interface Coverage {
  has(codePoint: number): boolean;
}

const CMAP = 0x63_6d_61_70;

/** Pairs of code points: each range begins at an even place and ends, inclusively, at the odd one behind it. */
type Ranges = number[];

/** Reads the table of a font that comes with this package; throws a `RangeError` for bytes that are no such font. */
export function readCoverage(font: Buffer): Coverage {
  const ranges = rangesOf(font);
  return {
    has(codePoint) {
      let low = 0;
      let high = ranges.length / 2 - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        if (codePoint < (ranges[middle * 2] ?? 0)) high = middle - 1;
        else if (codePoint > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1;
        else return true;
      }
      return false;
    },
  };
}

function rangesOf(font: Buffer): Ranges {
  const tables = font.readUInt16BE(4);
  for (let index = 0; index < tables; index++) {
    const record = 12 + index * 16;
    if (font.readUInt32BE(record) === CMAP) return bestSubtable(font.subarray(font.readUInt32BE(record + 8)));
  }
  throw new RangeError('the font has no table of its characters');
}

function bestSubtable(cmap: Buffer): Ranges {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4)),
  );
  const whole = subtables.find((table) => table.readUInt16BE(0) === 12);
  if (whole) return groupsOf(whole);
  const basic = subtables.find((table) => table.readUInt16BE(0) === 4);
  if (basic) return segmentsOf(basic);
  throw new RangeError('the font has no table of Unicode characters');
}

/** Format 12: groups of 32-bit code points. */
function groupsOf(table: Buffer): Ranges {
  return Array.from({ length: table.readUInt32BE(12) }, (_, index) => {
    const group = 16 + index * 12;
    return [table.readUInt32BE(group), table.readUInt32BE(group + 4)];
  }).flat();
}

/** Format 4: segments of 16-bit code points; the last one is U+FFFF alone and stands for nothing. */
function segmentsOf(table: Buffer): Ranges {
  const count = table.readUInt16BE(6) / 2;
  return Array.from({ length: count - 1 }, (_, index) => [
    table.readUInt16BE(14 + (count + 1 + index) * 2),
    table.readUInt16BE(14 + index * 2),
  ]).flat();
}
