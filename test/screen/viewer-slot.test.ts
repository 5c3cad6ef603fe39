import fc from 'fast-check';
import t from 'tap';
import { type SlotPicture, ViewerSlot } from '../../server/screen/viewer-slot.ts';

interface Numbered extends SlotPicture {
  readonly index: number;
}

const jpeg = (index: number): Numbered => ({ index, key: true, encoding: 'jpeg' });
const key = (index: number): Numbered => ({ index, key: true, encoding: 'h264' });
const delta = (index: number): Numbered => ({ index, key: false, encoding: 'h264' });

/** Sends all that may go now. */
function drain(slot: ViewerSlot<Numbered>, nowMs = 0, bytes = 1_000): number[] {
  const sent: number[] = [];
  for (let turn = slot.nextAction(nowMs, 0); turn.kind === 'send'; turn = slot.nextAction(nowMs, 0)) {
    sent.push(turn.picture.index);
    slot.sent(bytes, nowMs);
  }
  return sent;
}

t.test('of JPEG pictures only the newest waits', async (t) => {
  const slot = new ViewerSlot<Numbered>();
  for (const index of [1, 2, 3]) slot.offer(jpeg(index));
  t.same(slot.numbers, { seq: 1, leftOut: 2 });
  t.same(drain(slot), [3]);
  t.same(slot.numbers, { seq: 2, leftOut: 0 });
});

t.test('deltas that a busy sender could not send yet go in their order, up to a few', async (t) => {
  const slot = new ViewerSlot<Numbered>();
  slot.offer(key(1));
  for (const index of [2, 3, 4]) slot.offer(delta(index));
  t.same(drain(slot), [1, 2, 3, 4]);
  for (const index of [5, 6, 7, 8, 9]) slot.offer(delta(index));
  t.same(drain(slot), []);
  t.equal(slot.numbers.leftOut, 5);
  slot.offer(delta(10));
  t.equal(slot.numbers.leftOut, 6);
});

t.test('a key picture overtakes the deltas that wait', async (t) => {
  const slot = new ViewerSlot<Numbered>();
  for (const picture of [key(1), delta(2), key(3), delta(4)]) slot.offer(picture);
  t.equal(slot.numbers.leftOut, 2);
  t.same(drain(slot), [3, 4]);
});

t.test('a viewer that fell behind asks for a key picture when it has caught up, not before', async (t) => {
  const slot = new ViewerSlot<Numbered>();
  slot.offer(key(1));
  t.same(drain(slot, 0, 1_000_000), [1]);
  for (let index = 2; index < 60; index++) {
    slot.offer(delta(index));
    drain(slot, index * 16, 10_000);
  }
  t.equal(slot.nextAction(1_000, 0).kind, 'wait');
  slot.acknowledged(slot.numbers.seq - 1, 2_000);
  t.equal(slot.nextAction(2_000, 0).kind, 'needsKey');
  slot.offer(delta(60));
  t.equal(slot.nextAction(2_000, 0).kind, 'needsKey');
  slot.offer(key(61));
  slot.offer(delta(62));
  t.same(drain(slot, 2_000), [61, 62]);
});

t.test('a client that lost its place gets no delta before a key picture', async (t) => {
  const slot = new ViewerSlot<Numbered>();
  slot.offer(key(1));
  t.same(drain(slot), [1]);
  slot.acknowledged(1, 5);
  slot.offer(delta(2));
  slot.requestKey();
  t.equal(slot.nextAction(5, 0).kind, 'needsKey');
  slot.offer(key(3));
  slot.requestKey();
  t.same(drain(slot, 5), [3], 'the key that waits is the answer');
});

t.test(
  'whatever happens in whatever order: numbers rise by one, nothing is lost from the count, deltas follow their predecessors',
  async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant('delta' as const) },
      { weight: 1, arbitrary: fc.constant('key' as const) },
      { weight: 4, arbitrary: fc.constant('ack' as const) },
      { weight: 4, arbitrary: fc.constant('turn' as const) },
      { weight: 1, arbitrary: fc.constant('blocked turn' as const) },
      { weight: 1, arbitrary: fc.constant('ask' as const) },
      { weight: 3, arbitrary: fc.constant('time' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 100, max: 200_000 }), (steps, bytes) => {
        const slot = new ViewerSlot<Numbered>();
        let nowMs = 0;
        let index = 0;
        let seq = 0;
        let counted = 0;
        let previous = Number.NaN;
        for (const what of steps) {
          if (what === 'time') nowMs += 40;
          else if (what === 'ack') slot.acknowledged(seq, nowMs);
          else if (what === 'ask') slot.requestKey();
          else if (what === 'key') slot.offer(key(++index));
          else if (what === 'delta') slot.offer(delta(++index));
          else {
            const turn = slot.nextAction(nowMs, what === 'turn' ? 0 : 1_000_000);
            if (turn.kind !== 'send') continue;
            const { numbers } = slot;
            if (numbers.seq !== ++seq) return false;
            if (!turn.picture.key && turn.picture.index !== previous + 1) return false;
            previous = turn.picture.index;
            counted += numbers.leftOut + 1;
            if (counted !== turn.picture.index) return false;
            slot.sent(bytes, nowMs);
          }
        }
        return true;
      }),
      { numRuns: 500 },
    );
  },
);
