import t from 'tap';
import { SampleQueue } from '../../../server/host/recording/sample-queue.ts';

const MEBIBYTE = 1024 * 1024;

function open() {
  let calls = 0;
  const queue = new SampleQueue(() => void calls++);
  const push = (monotonicMs: number, bytes = 1, key = false) =>
    queue.push({ key, data: Buffer.alloc(bytes), time: { atUs: 0, monotonicMs, startMs: monotonicMs } });
  return { queue, push, calls: () => calls };
}

t.test('times are counted from the first picture, on the clock that never goes back', async (t) => {
  const { queue, push } = open();
  t.equal(queue.elapsedUs(900), 0);
  for (const atMs of [1_000, 1_016.667, 5_000]) push(atMs);
  t.strictSame(
    queue.take().map(({ atUs }) => atUs),
    [0, 16_667, 4_000_000],
  );
  t.equal(queue.elapsedUs(6_000), 5_000_000);
  t.strictSame(queue.take(), [], 'each is taken once');
});

t.test('two pictures of one moment come one after the other', async (t) => {
  const { queue, push } = open();
  for (const atMs of [10, 20, 20, 19]) push(atMs);
  t.strictSame(
    queue.take().map(({ atUs }) => atUs),
    [0, 10_000, 10_012, 10_024],
  );
  t.equal(queue.pastLastUs, 10_036);
});

t.test('a key picture stands for the one of the same capture before it, if that still waits', async (t) => {
  const { queue, push } = open();
  push(0);
  push(20, 5);
  push(20, 7, true);
  t.match(queue.take(), [{ atUs: 0 }, { atUs: 20_000, key: true, data: { length: 7 } }]);
  push(20, 9, true);
  t.match(queue.take(), [{ atUs: 20_012, data: { length: 9 } }], 'the other is written already');
  const other = open();
  other.push(0);
  other.push(0, 3, true);
  t.match(other.queue.take(), [{ atUs: 0 }, { atUs: 12 }], 'the first is the beginning, and stays');
});

t.test('samples after the end are dropped, but never the first picture', async (t) => {
  const { queue, push } = open();
  for (const atMs of [0, 10, 20]) push(atMs);
  t.equal(queue.take(10_000).length, 2);
  t.equal(queue.lastUs, 10_000);
  const other = open();
  other.push(50);
  t.equal(other.queue.take(0).length, 1);
});

t.test('the first picture is told, and so is a lot that waits; a disk that stands still overflows', async (t) => {
  const { queue, push, calls } = open();
  push(0);
  t.equal(calls(), 1);
  push(1);
  t.equal(calls(), 1);
  push(2, 5 * MEBIBYTE);
  t.equal(calls(), 2);
  t.notOk(queue.overflowed);
  push(3, 60 * MEBIBYTE);
  t.ok(queue.overflowed);
  t.equal(queue.take().length, 3, 'what no longer fits is left out');
});
