import { LIMITS } from '@runcloud/protocol';
import t from 'tap';
import { ackFrame, clientFrame, pongFrame } from '../../../bench/viewers/ack.ts';
import { ClientMessageReader } from '../../../server/wire/client-message-reader.ts';

const HEAD_BYTES = 6;
const reader = new ClientMessageReader(Buffer.alloc(LIMITS.clientMessageBytes));

t.test('a patched acknowledgement is what the server reads as one', async (t) => {
  for (const [streamId, seq] of [
    [1, 1],
    [4, 255],
    [2, 2 ** 32 - 1],
  ] as const) {
    const frame = ackFrame(streamId, seq);
    t.same([...frame.subarray(0, HEAD_BYTES)], [0x82, 0x80 + frame.length - HEAD_BYTES, 0, 0, 0, 0]);
    t.match(reader.read(frame.subarray(HEAD_BYTES)), {
      kind: 'valid',
      message: { type: 'screen.ack', streamId, seq },
    });
  }
});

t.test('each has memory of its own, since the one before may still be on its way', async (t) => {
  const first = ackFrame(1, 1);
  const before = Buffer.from(first);
  ackFrame(9, 9);
  t.ok(first.equals(before));
});

t.test('a message that needs a longer frame is refused', async (t) => {
  t.throws(() => clientFrame(new Uint8Array(126)), /too long/);
});

t.test('a ping is answered with its own payload', async (t) => {
  t.same([...pongFrame(Buffer.from('hi'))], [0x8a, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
});
