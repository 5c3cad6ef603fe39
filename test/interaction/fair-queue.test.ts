import fc from 'fast-check';
import t from 'tap';
import { FairQueue, type LaneNode } from '../../server/interaction/fair-queue.ts';

class Item implements LaneNode<Item> {
  previous: Item | undefined;
  next: Item | undefined;
  readonly lane: string;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    this.lane = name.charAt(0);
  }
}

const drain = (queue: FairQueue<Item>) => Array.from({ length: queue.size }, () => queue.shift()?.name).join(' ');

function filled(...names: string[]) {
  const queue = new FairQueue<Item>();
  const items = names.map((name) => new Item(name));
  for (const item of items) queue.push(item);
  return { queue, items };
}

t.test('one lane is a plain queue, and several take turns', async (t) => {
  t.equal(drain(filled('a1', 'a2', 'a3').queue), 'a1 a2 a3');
  t.equal(drain(filled('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1').queue), 'a1 b1 c1 a2 b2 a3 a4');
});

t.test('a newcomer waits for one item of each other lane, however many wait there', async (t) => {
  const { queue } = filled(...Array.from({ length: 60 }, (_, index) => `a${index}`), 'b0');
  t.equal(queue.shift()?.name, 'a0');
  const late = new Item('k0');
  queue.push(late);
  t.equal(queue.ahead(late), 2);
  t.same([queue.shift()?.name, queue.shift()?.name, queue.shift()?.name], ['b0', 'a1', 'k0']);
});

t.test('whatever is added, taken and removed, each lane keeps its order and `ahead` is what then happens', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), lane: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('shift' as const) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<Item>();
      let held: Item[] = [];
      let count = 0;
      const drop = (item: Item | undefined) => {
        held = held.filter((one) => one !== item);
      };
      for (const one of steps) {
        if (one.kind === 'push') {
          const item = new Item(`${one.lane}${++count}`);
          queue.push(item);
          held.push(item);
        } else if (one.kind === 'shift') {
          const { first } = queue;
          const taken = queue.shift();
          if (taken !== first) return false;
          if (taken !== held.find(({ lane }) => lane === taken?.lane)) return false;
          drop(taken);
        } else {
          const item = held[one.at % Math.max(1, held.length)];
          if (item) queue.remove(item);
          drop(item);
        }
      }
      if (queue.size !== held.length || [...queue].length !== held.length) return false;
      const told = new Map(held.map((item) => [item.name, queue.ahead(item)]));
      return drain(queue)
        .split(' ')
        .filter(Boolean)
        .every((name, index) => told.get(name) === index);
    }),
    { numRuns: 2_000 },
  );
});
