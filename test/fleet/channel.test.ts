import t from 'tap';
import { Channel, type ChannelEvents, WINDOW_BYTES } from '../../server/fleet/channel.ts';
import { decodeFrame, decodeHead, encodeHead, FRAME, type Frame } from '../../server/fleet/frames.ts';

/** Two ends of one channel, and what went between them. */
function pair(payloadBytesMax = 100_000) {
  const log: string[] = [];
  const frames: Frame[] = [];
  const eventsOf = (name: string): ChannelEvents => ({
    told: (type) => log.push(`${name} told ${type}`),
    data: (bytes) => log.push(`${name} data ${bytes.byteLength} ${bytes[0]}`),
    taken: () => log.push(`${name} taken`),
    lost: () => log.push(`${name} lost`),
  });
  const read = (bytes: Uint8Array): Frame => {
    const frame = decodeFrame(new Uint8Array(bytes));
    if (!frame) throw new Error('no frame');
    frames.push(frame);
    return frame;
  };
  const b: Channel = new Channel(
    7,
    { edge: 'e', payloadBytesMax, publish: (bytes) => a.receive(read(bytes)) },
    eventsOf('b'),
  );
  const a: Channel = new Channel(
    7,
    { edge: 'e', payloadBytesMax, publish: (bytes) => b.receive(read(bytes)) },
    eventsOf('a'),
  );
  return { a, b, log, frames };
}

t.test('a head and a body come as they were sent', async (t) => {
  const [length, head, body] = encodeHead({ path: '/ä' }, new Uint8Array([1, 2, 3]));
  const read = decodeHead(Buffer.concat([length, head, body] as Uint8Array[]));
  t.strictSame(read.head, { path: '/ä' });
  t.strictSame([...read.body], [1, 2, 3]);
  t.throws(() => decodeHead(Buffer.from([0, 0, 0, 9, 1])), /shorter/);
});

t.test('what is no frame is nothing', async (t) => {
  t.equal(decodeFrame(new Uint8Array(8)), undefined, 'too short');
  t.equal(decodeFrame(new Uint8Array(20).fill(250)), undefined, 'of no type');
});

t.test('a message that is longer than a payload goes in parts and comes whole', async (t) => {
  const { a, log, frames } = pair(10);
  a.sendData(new Uint8Array(25).fill(9));
  t.strictSame(log, ['b data 25 9']);
  t.strictSame(
    frames.map(({ type, number }) => [type, number]),
    [
      [FRAME.part, 0],
      [FRAME.part, 1],
      [FRAME.data, 2],
    ],
  );
});

t.test('a frame that was lost, doubled or swapped ends the channel of its receiver', async (t) => {
  for (const numbers of [[0, 2], [0, 0], [1]]) {
    const { b, log } = pair();
    for (const number of numbers) b.receive({ type: FRAME.data, channel: 7, number, payload: new Uint8Array(1) });
    t.equal(log.at(-1), 'b lost', numbers.join());
  }
});

t.test('what is under way is bounded by the window for who waits for room', async (t) => {
  const { a, b } = pair();
  let sends = 0;
  const send = async () => {
    for (; sends < 40; sends++) {
      await a.room();
      a.sendData(new Uint8Array(16_384));
    }
  };
  const sent = send();
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(a.underWayBytes, WINDOW_BYTES);
  b.took(WINDOW_BYTES / 2, true);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(a.underWayBytes, WINDOW_BYTES);
  a.end();
  await sent;
  t.pass('whoever waits is woken by the end');
});

t.test('small pieces are told of together', async (t) => {
  const { b, frames } = pair();
  for (let count = 0; count < 100; count++) b.took(100);
  t.equal(frames.length, 0);
  for (let count = 0; count < 300; count++) b.took(100);
  t.equal(frames.length, 1);
});

t.test('nothing is sent or received after the end', async (t) => {
  const { a, log } = pair();
  a.end();
  a.sendData(new Uint8Array(1));
  a.receive({ type: FRAME.data, channel: 7, number: 0, payload: new Uint8Array(1) });
  t.strictSame(log, []);
});
