import { SCREEN_HEADER_BYTES } from '@runcloud/protocol/terms';
import t from 'tap';
import { packetAround, payloadMemory, payloadOf } from '../../server/link/packet-memory.ts';

t.test('a payload in memory with room becomes a packet without a copy, also on another thread', async (t) => {
  const sent = payloadOf(Uint8Array.of(1, 2, 3));
  const payload = structuredClone(sent, { transfer: [sent.buffer] });
  t.equal(sent.byteLength, 0, 'it was given away');
  const packet = packetAround(payload);
  t.equal(packet.buffer, payload.buffer);
  t.equal(packet.byteLength, SCREEN_HEADER_BYTES + 3);
  t.same([...packet.subarray(SCREEN_HEADER_BYTES)], [1, 2, 3]);
  t.equal(payloadMemory(0).byteLength, 0);
  t.equal(packetAround(payloadMemory(0)).byteLength, SCREEN_HEADER_BYTES);
});

t.test('the memory around a payload without reserved room for a header is not changed', async (t) => {
  const shared = Uint8Array.from({ length: 100 }, (_, index) => index);
  const payloads = [
    shared.subarray(0, 10),
    shared.subarray(SCREEN_HEADER_BYTES, SCREEN_HEADER_BYTES + 10),
    shared.subarray(SCREEN_HEADER_BYTES - 1),
    shared.subarray(SCREEN_HEADER_BYTES + 1),
  ];
  for (const payload of payloads) {
    const packet = packetAround(payload);
    t.not(packet.buffer, shared.buffer);
    t.same([...packet.subarray(SCREEN_HEADER_BYTES)], [...payload]);
  }
});
