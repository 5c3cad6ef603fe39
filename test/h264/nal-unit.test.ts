import t from 'tap';
import { avcCodec, NAL, nalType } from '../../server/h264/nal-unit.ts';

t.test('the low five bits of its first byte tell what a unit is', async (t) => {
  for (const [byte, type] of [
    [0x67, NAL.sps],
    [0x27, NAL.sps],
    [0x68, NAL.pps],
    [0x65, NAL.idr],
    [0x41, NAL.slice],
    [0x09, NAL.accessUnitDelimiter],
    [0x0c, NAL.filler],
  ] as const) {
    t.equal(nalType(Uint8Array.of(byte, 0xff)), type, byte.toString(16));
  }
  t.equal(nalType(new Uint8Array()), 0, 'an empty one is nothing');
});

t.test('a stream is named by profile, compatibility and level, two digits each', async (t) => {
  t.equal(avcCodec(Uint8Array.of(0x67, 0x42, 0xc0, 0x1f, 0xda)), 'avc1.42c01f');
  t.equal(avcCodec(Uint8Array.of(0x67, 0x64, 0x00, 0x0a)), 'avc1.64000a');
});
