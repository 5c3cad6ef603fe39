import t from 'tap';
import { avcConfiguration, isWholeSample, sameParameterSets, toAvcPicture } from '../../server/h264/avc.ts';

const SPS = [0x67, 0x42, 0xc0, 0x1f, 0xda];
const PPS = [0x68, 0xce, 0x3c];
const SLICE = [0x65, 0x88, 0x84, 0x21];

t.test('a key packet gives its parameter sets, and a sample without them', async (t) => {
  const packet = Uint8Array.from([0, 0, 0, 1, ...SPS, 0, 0, 0, 1, ...PPS, 0, 0, 1, ...SLICE]);
  const { parameterSets, sample } = toAvcPicture(packet);
  t.strictSame([...(parameterSets?.sps ?? [])], SPS);
  t.strictSame([...(parameterSets?.pps ?? [])], PPS);
  t.strictSame([...sample], [0, 0, 0, SLICE.length, ...SLICE]);
});

t.test('units behind start codes of three and of four bytes are told apart from their zeros', async (t) => {
  const delimiter = [0x09, 0x10];
  const packet = Uint8Array.from([0, 0, 1, ...delimiter, 0, 0, 1, 0x41, 1, 0, 0, 0, 1, 0x41, 2]);
  const { parameterSets, sample } = toAvcPicture(packet);
  t.equal(parameterSets, undefined);
  t.strictSame([...sample], [0, 0, 0, 2, 0x41, 1, 0, 0, 0, 2, 0x41, 2]);
});

t.test('a packet that is a part of larger memory is read within its bounds', async (t) => {
  const memory = Uint8Array.from([0, 0, 1, 0x41, 9, 0, 0, 1, 0x41, 5, 0, 0, 1, 0x41, 7]);
  t.strictSame([...toAvcPicture(memory.subarray(5, 10)).sample], [0, 0, 0, 2, 0x41, 5]);
});

t.test('bytes without a start code give an empty sample, which is not whole', async (t) => {
  const { sample } = toAvcPicture(Uint8Array.of(1, 2, 3));
  t.equal(sample.length, 0);
  t.notOk(isWholeSample(sample));
});

t.test('a sample is whole when its units fill it, and not when a byte is missing or too many', async (t) => {
  const whole = Uint8Array.from([0, 0, 0, 2, 0x41, 1, 0, 0, 0, 3, 0x41, 2, 3]);
  t.ok(isWholeSample(whole));
  for (let cut = 1; cut < whole.length; cut++) {
    t.equal(isWholeSample(whole.subarray(0, cut)), cut === 6, `${cut} bytes`);
  }
  t.notOk(isWholeSample(Uint8Array.from([...whole, 0])));
  t.notOk(isWholeSample(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x41)));
});

t.test('the configuration record is laid out as ISO/IEC 14496-15 says', async (t) => {
  const record = avcConfiguration([{ sps: Uint8Array.from(SPS), pps: Uint8Array.from(PPS) }]);
  t.strictSame([...record], [1, 0x42, 0xc0, 0x1f, 0xff, 0xe1, 0, 5, ...SPS, 1, 0, 3, ...PPS]);
});

t.test('parameter sets are the same when both are, byte by byte', async (t) => {
  const one = { sps: Uint8Array.from(SPS), pps: Uint8Array.from(PPS) };
  t.ok(sameParameterSets(one, { sps: Uint8Array.from(SPS), pps: Uint8Array.from(PPS) }));
  t.notOk(sameParameterSets(one, { ...one, pps: Uint8Array.of(0x68) }));
  t.notOk(sameParameterSets(one, { ...one, sps: Uint8Array.from([...SPS, 1]) }));
});
