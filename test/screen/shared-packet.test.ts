import { readScreenHeader, SCREEN_HEADER_BYTES } from '@runcloud/protocol/terms';
import t from 'tap';
import { SharedPacket } from '../../server/screen/shared-packet.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { picture } from './pictures.ts';

t.test('each viewer gets its own header before the same payload, in one buffer', async (t) => {
  const payload = Uint8Array.from([1, 2, 3]);
  const clock = new FakeClock(500, 1_000_003);
  const shown = picture({ payload, inputSeq: 7, capturedAtUs: 1_000_000_000, unchanged: true });
  const packet = new SharedPacket(shown, clock);
  const first = packet.addressedTo(5, { seq: 1, leftOut: 0 }, 501);
  t.match(readScreenHeader(first), { streamId: 5, seq: 1, leftOut: 0, handOverMs: 4, inputSeq: 7, unchanged: true });
  const second = packet.addressedTo(6, { seq: 9, leftOut: 70_000 }, 517);
  t.equal(first.buffer, second.buffer);
  t.match(readScreenHeader(second), { streamId: 6, seq: 9, leftOut: 65_535, handOverMs: 20, key: true });
  t.same([...second.subarray(SCREEN_HEADER_BYTES)], [1, 2, 3]);
  t.equal(packet.byteLength, SCREEN_HEADER_BYTES + 3);
});
