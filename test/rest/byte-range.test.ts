import fc from 'fast-check';
import t from 'tap';
import { selectRange } from '../../server/rest/byte-range.ts';

const part = (start: number, end: number) => ({ kind: 'part', start, end });
const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };

const CASES: readonly (readonly [string | undefined, object])[] = [
  [undefined, whole],
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-', part(0, 9)],
  ['bytes=9-', part(9, 9)],
  ['bytes=2-5', part(2, 5)],
  ['bytes=2-99', part(2, 9)],
  ['bytes=0-18446744073709551616', part(0, 9)],
  ['BYTES=2-5', part(2, 5)],
  ['bytes= 2-5 ', part(2, 5)],
  ['bytes=,2-5,', part(2, 5)],
  ['bytes=-1', part(9, 9)],
  ['bytes=-10', part(0, 9)],
  ['bytes=-99', part(0, 9)],
  ['bytes=-0', unsatisfiable],
  ['bytes=10-', unsatisfiable],
  ['bytes=10-20', unsatisfiable],
  ['bytes=99999999999999999999-', unsatisfiable],
  ['bytes=5-2', whole],
  ['bytes=12-11', whole],
  ['bytes=-', whole],
  ['bytes=', whole],
  ['bytes', whole],
  ['', whole],
  ['bytes=a-b', whole],
  ['bytes=1.5-2', whole],
  ['bytes=+1-2', whole],
  ['bytes=1-2-3', whole],
  ['bytes = 1-2', whole],
  ['items=1-2', whole],
  ['bytes=0-1,4-5', whole],
  ['bytes=0-0,0-0,0-0', whole],
  ['bytes=-1,-1', whole],
];

for (const [header, expected] of CASES) {
  t.test(`${header} of ten bytes`, async (t) => {
    t.strictSame(selectRange(header, 10), expected);
  });
}

/** RFC 9110, section 14.1.2, by the definition of each byte: is it wanted, or not? */
function wanted(first: number | undefined, last: number | undefined, size: number): number[] {
  return Array.from({ length: size }, (_, at) => at).filter((at) => {
    if (first === undefined) return at >= size - (last ?? 0);
    return at >= first && at <= (last ?? size);
  });
}

t.test('a single range selects the bytes that the RFC says, and none means unsatisfiable', async () => {
  const number = fc.option(fc.nat(30), { nil: undefined });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 1, max: 25 }), (first, last, size) => {
      const selection = selectRange(`bytes=${first ?? ''}-${last ?? ''}`, size);
      const malformed = (first === undefined && last === undefined) || (last ?? 99) < (first ?? 0);
      if (malformed) return selection.kind === 'whole';
      const bytes = wanted(first, last, size);
      if (bytes.length === 0) return selection.kind === 'unsatisfiable';
      return selection.kind === 'part' && selection.start === bytes[0] && selection.end === bytes.at(-1);
    }),
    { numRuns: 3_000 },
  );
});

t.test('a part lies within the file for any header', async () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 1_000 }), (text, size) => {
      const selection = selectRange(`bytes=${text}`, size);
      return (
        selection.kind !== 'part' || (selection.start >= 0 && selection.start <= selection.end && selection.end < size)
      );
    }),
    { numRuns: 3_000 },
  );
});
