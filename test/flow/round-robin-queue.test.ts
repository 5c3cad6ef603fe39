import t from 'tap';
import { RoundRobinQueue } from '../../server/flow/round-robin-queue.ts';

function takeAll(queue: RoundRobinQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(next.item);
  return taken;
}

t.test('holders take turns, whoever came first and however much one has', (t) => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push('a', item);
  for (const item of ['b1', 'b2']) queue.push('b', item);
  queue.push('c', 'c1');
  t.same(takeAll(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  t.equal(queue.take(), undefined);
  t.end();
});

t.test('a new party waits for one item of each other party', (t) => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  t.same(queue.take(), { holder: 'a', item: 'a1' });
  queue.push('b', 'b1');
  t.same(takeAll(queue), ['a2', 'b1', 'a3']);
  t.end();
});

t.test('a holder that may not have one taken keeps its turn', (t) => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2']) queue.push('a', item);
  for (const item of ['b1', 'b2']) queue.push('b', item);
  const notA = (holder: string) => holder !== 'a';
  t.equal(queue.take(notA)?.item, 'b1');
  t.equal(queue.take(notA)?.item, 'b2');
  t.equal(queue.take(notA), undefined);
  t.same(takeAll(queue), ['a1', 'a2']);
  t.end();
});

t.test('all queued items can be taken at once', (t) => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2']) queue.push('a', item);
  queue.push('b', 'b1');
  t.equal(queue.size, 2);
  t.same(queue.clear().sort(), ['a1', 'a2', 'b1']);
  t.equal(queue.size, 0);
  t.equal(queue.take(), undefined);
  t.end();
});
