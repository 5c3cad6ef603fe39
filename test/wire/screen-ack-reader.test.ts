import fc from 'fast-check';
import t from 'tap';
import { encodeClientMessage } from '../../protocol/index.ts';
import { ClientMessageReader } from '../../server/wire/client-message-reader.ts';
import { readScreenAck } from '../../server/wire/screen-ack-reader.ts';

const reader = new ClientMessageReader();
const ack = (streamId: number, seq: number) => encodeClientMessage({ type: 'screen.ack', streamId, seq });
const number = fc.oneof(
  fc.constantFrom(0, 1, 127, 128, 255, 256, 65_535, 65_536, 0xffff_ffff),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);

t.test('an acknowledgement as clients encode it is read as the reader of all messages reads it', async (t) => {
  fc.assert(
    fc.property(number, number, (streamId, seq) => {
      const bytes = ack(streamId, seq);
      const quick = readScreenAck(bytes);
      const slow = reader.read(bytes);
      if (quick === undefined || JSON.stringify(quick) !== JSON.stringify(slow)) throw new Error(`${streamId} ${seq}`);
    }),
  );
  const [streamId, seq] = [7, 70_000];
  t.match(readScreenAck(ack(streamId, seq)), { kind: 'valid', message: { type: 'screen.ack', streamId, seq } });
});

t.test('bytes that were changed, cut or added to are read as by the general reader, or not at all', async (t) => {
  let refused = 0;
  fc.assert(
    fc.property(number, number, fc.nat(40), fc.nat(255), fc.integer({ min: -3, max: 3 }), (id, seq, at, byte, more) => {
      const whole = ack(id, seq);
      const bytes = new Uint8Array(Math.max(0, whole.length + more));
      bytes.set(whole.subarray(0, bytes.length));
      if (at < bytes.length) bytes[at] = byte;
      const quick = readScreenAck(bytes);
      if (quick === undefined) refused++;
      else if (JSON.stringify(quick) !== JSON.stringify(reader.read(bytes))) throw new Error(`${bytes}`);
    }),
    { numRuns: 3_000 },
  );
  t.ok(refused > 0);
});

t.test('other messages, other orders and other numbers are left to the other reader', async (t) => {
  for (const message of [
    { type: 'screen.stop', streamId: 1 },
    { type: 'screen.ack', seq: 1, streamId: 1 },
    { streamId: 1, type: 'screen.ack', seq: 1 },
    { type: 'screen.ack', streamId: 1, seq: 1, more: 1 },
    { type: 'screen.ack', streamId: 1 },
    { type: 'screen.ack', streamId: -1, seq: 1 },
    { type: 'screen.ack', streamId: 1, seq: 1.5 },
    { type: 'screen.ack', streamId: 1, seq: 2 ** 32 },
    { type: 'screen.ack', streamId: '1', seq: 1 },
    { type: 'screen.ack', streamId: 1, seq: null },
  ]) {
    t.equal(readScreenAck(encodeClientMessage(message)), undefined, JSON.stringify(message));
  }
  t.equal(readScreenAck(new Uint8Array()), undefined);
});
