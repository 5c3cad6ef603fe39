import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { MessageRing } from '../../server/control/message-ring.ts';

/** A ring whose messages tell their numbers. */
function openRing(memoryBytes = Number.POSITIVE_INFINITY) {
  let taken = 0;
  const ring = new MessageRing({
    take: (bytes) => {
      if (taken + bytes > memoryBytes) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => {
      taken -= bytes;
    },
  });
  const push = (count: number, bytes = 8) => {
    for (let index = 0; index < count; index++) {
      const message = new Uint8Array(bytes);
      new DataView(message.buffer).setUint32(0, ring.sent + 1);
      ring.push(message);
    }
  };
  const after = (count: number) =>
    [...ring.after(count)].map((bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0));
  return { ring, push, after, taken: () => taken };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

t.test('messages are numbered from 1, and those behind a count follow in order', async (t) => {
  const { ring, push, after } = openRing();
  t.equal(ring.holdsAfter(0), true);
  push(300, 100);
  t.equal(ring.sent, 300);
  for (const count of [0, 1, 5, 150, 299, 300]) {
    t.equal(ring.holdsAfter(count), true, `${count}`);
    t.strictSame(after(count), range(count + 1, 300), `${count}`);
    t.ok(ring.bytesAfter(count) >= (300 - count) * 100, `${count}`);
  }
  t.equal(ring.bytesAfter(300), 0);
  t.equal(ring.holdsAfter(301), false, 'a count of what was never sent');
});

t.test('messages keep their bytes, whatever their length', async (t) => {
  const { ring } = openRing();
  const sizes = [0, 1, 3, 255, 256, 500, 511, 512, 4_000, 16_384, 65_536, 300_000, 2];
  const sent = sizes.map((size, number) => Uint8Array.from({ length: size }, (_, at) => (at * 7 + number) % 256));
  for (const bytes of sent) ring.push(bytes);
  t.strictSame(
    [...ring.after(0)].map((bytes) => Uint8Array.from(bytes)),
    sent,
  );
});

t.test('a copy is kept: the sender uses its memory again', async (t) => {
  const { ring, after } = openRing();
  const message = new Uint8Array(8);
  message[3] = 9;
  ring.push(message);
  message.fill(0xff);
  t.strictSame(after(0), [9]);
});

t.test('the newest messages are kept, as many as the limits say', async (t) => {
  const { ring, push, after } = openRing();
  push(3 * LIMITS.resumeMessages);
  const oldest = 2 * LIMITS.resumeMessages;
  t.equal(ring.holdsAfter(oldest), true);
  t.equal(ring.holdsAfter(oldest - 1), false);
  t.strictSame(after(oldest), range(oldest + 1, 3 * LIMITS.resumeMessages));
  const bytes = openRing();
  bytes.push(1_000, 4_000);
  t.ok(bytes.ring.bytes <= LIMITS.resumeBytes, `${bytes.ring.bytes}`);
  t.ok(bytes.ring.bytes > LIMITS.resumeBytes * 0.9);
  t.equal(bytes.ring.holdsAfter(0), false);
  t.equal(bytes.ring.holdsAfter(780), true);
});

t.test('a message that is too long to be kept is a gap, and those behind it follow all the same', async (t) => {
  const { ring, push, after } = openRing();
  push(3);
  ring.push(new Uint8Array(LIMITS.resumeBytes));
  push(2);
  t.equal(ring.holdsAfter(3), false);
  t.equal(ring.holdsAfter(4), true);
  t.strictSame(after(4), [5, 6]);
});

t.test('without memory nothing is kept, and with it again what comes then', async (t) => {
  const { ring, push, taken } = openRing(5_000);
  push(1_000);
  t.equal(ring.sent, 1_000);
  t.equal(ring.holdsAfter(0), false);
  t.ok(taken() <= 5_000);
  t.equal(ring.holdsAfter(1_000), true, 'a client that has everything may always come back');
});

t.test('what a client has is forgotten by whole chunks', async (t) => {
  const { ring, push, after, taken } = openRing();
  push(2_000, 100);
  const before = taken();
  ring.forget(1_900);
  t.ok(taken() < before / 4, `${before} and then ${taken()}`);
  t.strictSame(after(1_900), range(1_901, 2_000));
});

t.test('old messages are forgotten, and an idle ring holds no memory', async (t) => {
  const { ring, push, after, taken } = openRing();
  push(10);
  for (let tick = 0; tick < 8; tick++) ring.age();
  t.strictSame(after(0), range(1, 10));
  ring.age();
  t.equal(ring.holdsAfter(0), false);
  t.equal(ring.holdsAfter(10), true);
  t.equal(taken(), 0);
  push(1);
  t.strictSame(after(10), [11]);
  ring.close();
  t.equal(taken(), 0);
  push(1);
  t.equal(taken(), 0, 'a closed ring keeps nothing');
});

t.test('few messages take little memory', async (t) => {
  const { push, taken } = openRing();
  push(4, 100);
  t.ok(taken() <= 512, `${taken()} bytes`);
});

t.test('memory that a ring lets go is used again, and who was reading it reads nothing of others', async (t) => {
  const first = openRing();
  first.push(20, 100);
  const reading = first.ring.after(0);
  const { buffer } = reading.next().value as Uint8Array;
  first.ring.close();
  const second = openRing();
  second.push(20, 100);
  const buffers = new Set([...second.ring.after(0)].map((bytes) => bytes.buffer));
  t.ok(buffers.has(buffer), 'the same memory');
  t.strictSame(second.after(0), range(1, 20));
  t.same([...reading], []);
});
