import t from 'tap';
import { avcConfiguration } from '../../server/h264/avc.ts';
import { readAvcRecord } from '../../server/h264/avc-record.ts';

const sps = Uint8Array.of(0x67, 0x42, 0xc0, 0x1f, 1, 2, 3);
const pps = Uint8Array.of(0x68, 4, 5);

t.test('a record that a recording writes is read back unchanged', async (t) => {
  const { lengthBytes, ...sets } = readAvcRecord(avcConfiguration([{ sps, pps }]));
  t.equal(lengthBytes, 4);
  t.same([sets.sps.map((set) => [...set]), sets.pps.map((set) => [...set])], [[[...sps]], [[...pps]]]);
});

t.test('several sets are told apart, and what follows them is passed over', async (t) => {
  const framed = (set: Uint8Array) => [0, set.length, ...set];
  const record = Uint8Array.of(1, 66, 0, 31, 0xfd, 0xe2, ...framed(sps), ...framed(sps), 1, ...framed(pps), 9, 9, 9);
  const { lengthBytes, ...sets } = readAvcRecord(record);
  t.strictSame([lengthBytes, sets.sps.length, sets.pps.length], [2, 2, 1]);
});

t.test('a record that is cut anywhere, or that has no sense, is refused', async (t) => {
  const whole = avcConfiguration([{ sps, pps }]);
  const refused = (record: Uint8Array, why: string) => t.throws(() => readAvcRecord(record), RangeError, why);
  const end = 6 + 2 + sps.length + 1 + 2 + pps.length;
  for (let length = 0; length < end; length++) refused(whole.subarray(0, length), `cut at ${length}`);
  const altered = (at: number, value: number) => {
    const copy = Uint8Array.from(whole);
    copy[at] = value;
    return copy;
  };
  refused(altered(0, 2), 'another version');
  refused(altered(4, 0xfe), 'lengths of three bytes');
  refused(altered(5, 0xe0), 'no SPS');
  refused(altered(8, 0x68), 'a PPS in the place of an SPS');
  refused(altered(8 + sps.length, 0), 'no PPS');
  refused(altered(11 + sps.length, 0x67), 'an SPS in the place of a PPS');
});
