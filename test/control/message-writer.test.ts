import { decodeServerMessage, type ServerMessage } from '@runcloud/protocol';
import t from 'tap';
import { MessageRing } from '../../server/control/message-ring.ts';
import { MessageWriter } from '../../server/control/message-writer.ts';
import type { SendOutcome, SocketSender } from '../../server/socket/connection.ts';
import { settled } from '../support/fake-clock.ts';

const pong = (id: number): ServerMessage => ({ type: 'pong', id, serverTimeUs: 1 });

/** A socket that keeps what it is sent, one list for each write. */
function open(outcome: () => SendOutcome = () => 'sent') {
  const writes: (number | string)[][] = [];
  const stuck: string[] = [];
  const failures: unknown[] = [];
  let isConnected = false;
  let current: (number | string)[] | undefined;
  const outlet: SocketSender = {
    bufferedBytes: 7,
    send(bytes) {
      const read = bytes[0] === 0xff ? 'packet' : decodeServerMessage(bytes);
      const name =
        read === 'packet' ? read : read.kind === 'message' && read.message.type === 'pong' ? read.message.id : 'other';
      if (current) current.push(name);
      else writes.push([name]);
      return isConnected ? outcome() : 'sent';
    },
    together(write) {
      current = [];
      writes.push(current);
      write();
      current = undefined;
    },
    close: () => undefined,
  };
  const ring = new MessageRing({ take: () => true, give: () => undefined });
  const writer = new MessageWriter(ring, {
    stuck: (how) => void stuck.push(how),
    failed: (error) => void failures.push(error),
  });
  writer.connect(outlet, pong(0));
  isConnected = true;
  writes.length = 0;
  return { writer, writes, stuck, failures };
}

t.test('messages of one turn leave in one write and in their order, also those of promises', async (t) => {
  const { writer, writes } = open();
  writer.message(pong(1));
  void Promise.resolve().then(async () => {
    writer.message(pong(2));
    await undefined;
    writer.message(pong(3));
  });
  t.strictSame(writes, []);
  await settled();
  t.strictSame(writes.flat(), [1, 2, 3]);
  for (const id of [4, 5, 6]) writer.message(pong(id));
  await settled();
  t.strictSame(writes.at(-1), [4, 5, 6]);
});

t.test('answers that come from promises of one turn leave in one write', async (t) => {
  const { writer, writes } = open();
  const answers = Array.from({ length: 50 }, (_, id) => Promise.resolve(id));
  for (const answer of answers) void answer.then((id) => writer.message(pong(id)));
  await settled();
  t.strictSame(writes, [Array.from({ length: 50 }, (_, id) => id)]);
});

t.test('a lone message waits for no timer', async (t) => {
  const { writer, writes } = open();
  writer.message(pong(1));
  await new Promise<void>((resolve) => void process.nextTick(resolve));
  t.strictSame(writes, [[1]]);
});

t.test('a screen packet leaves at once, behind the messages before it', async (t) => {
  const { writer, writes } = open();
  writer.message(pong(1));
  t.equal(writer.send(new Uint8Array([0xff])), 'sent');
  t.strictSame(writes, [[1], ['packet']]);
  t.equal(writer.bufferedBytes, 7);
  await settled();
  t.equal(writes.length, 2, 'nothing is sent twice');
});

t.test('the worst of a write is told once for all of it', async (t) => {
  const outcomes: SendOutcome[] = ['sent', 'dropped', 'buffered', 'sent', 'sent', 'buffered'];
  const { writer, stuck } = open(() => outcomes.shift() ?? 'sent');
  for (let turn = 0; turn < 2; turn++) {
    for (const id of [1, 2, 3]) writer.message(pong(id));
    writer.flush();
  }
  t.strictSame(stuck, ['dropped', 'buffered']);
});

t.test('a message that cannot be put into bytes is told and takes no other along', async (t) => {
  const { writer, writes, failures } = open();
  const broken = Object.defineProperty({ type: 'pong' }, 'id', {
    enumerable: true,
    get() {
      throw new Error('broken');
    },
  });
  writer.message(pong(1));
  writer.message(broken as ServerMessage);
  writer.message(pong(3));
  await settled();
  t.strictSame(writes, [[1, 3]]);
  t.match(failures, [{ message: 'broken' }]);
});

t.test('a message that is added during a write waits for the next write', async (t) => {
  const { writer, writes } = open(() => {
    if (writes.flat().length === 1) writer.message(pong(9));
    return 'sent';
  });
  writer.message(pong(1));
  writer.message(pong(2));
  await settled();
  t.strictSame(writes, [[1, 2], [9]]);
});
