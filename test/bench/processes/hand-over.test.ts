import { readScreenHeader, SCREEN_HEADER_BYTES, writeScreenHeader } from '@runcloud/protocol';
import t from 'tap';
import { HAND_OVER_WATCH } from '../../../bench/processes/hand-over.ts';

t.test('the header of a packet tells when it was written, in microseconds, and else what it told', async (t) => {
  await import(HAND_OVER_WATCH);
  const header = {
    key: true,
    unchanged: false,
    encoding: 'jpeg',
    orientation: 'portrait',
    streamId: 1,
    seq: 2,
    inputSeq: 3,
    capturedAtUs: 4,
    width: 590,
    height: 1_278,
    leftOut: 5,
    handOverMs: 6,
  } as const;
  const nowUs = () => Math.round((performance.timeOrigin + performance.now()) * 1_000);
  const packet = new Uint8Array(SCREEN_HEADER_BYTES);
  const beforeUs = nowUs();
  writeScreenHeader(packet, header);
  const afterUs = nowUs();
  const { capturedAtUs = 0, ...others } = readScreenHeader(packet) ?? {};
  t.ok(capturedAtUs >= beforeUs && capturedAtUs <= afterUs);
  t.same({ ...others, capturedAtUs: 4 }, header);
});

t.test('nothing but screen packets is changed', async (t) => {
  await import(HAND_OVER_WATCH);
  const other = new DataView(new ArrayBuffer(SCREEN_HEADER_BYTES));
  for (let at = 0; at < SCREEN_HEADER_BYTES; at += 2) other.setUint16(at, at, true);
  for (let at = 0; at < SCREEN_HEADER_BYTES; at += 2) t.equal(other.getUint16(at, true), at);
});
