import t from 'tap';
import { Rounds } from '../../server/flow/rounds.ts';

function takeAll(rounds: Rounds<string>): string[] {
  const taken: string[] = [];
  for (let next = rounds.take(); next; next = rounds.take()) taken.push(next.item);
  return taken;
}

t.test('holders take turns, whoever came first and however much one has', (t) => {
  const rounds = new Rounds<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) rounds.push('a', item);
  for (const item of ['b1', 'b2']) rounds.push('b', item);
  rounds.push('c', 'c1');
  t.same(takeAll(rounds), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  t.equal(rounds.take(), undefined);
  t.end();
});

t.test('who comes while others wait is behind one item of each', (t) => {
  const rounds = new Rounds<string>();
  for (const item of ['a1', 'a2', 'a3']) rounds.push('a', item);
  t.same(rounds.take(), { holder: 'a', item: 'a1' });
  rounds.push('b', 'b1');
  t.same(takeAll(rounds), ['a2', 'b1', 'a3']);
  t.end();
});

t.test('a holder that may not have one taken keeps its turn', (t) => {
  const rounds = new Rounds<string>();
  for (const item of ['a1', 'a2']) rounds.push('a', item);
  for (const item of ['b1', 'b2']) rounds.push('b', item);
  const notA = (holder: string) => holder !== 'a';
  t.equal(rounds.take(notA)?.item, 'b1');
  t.equal(rounds.take(notA)?.item, 'b2');
  t.equal(rounds.take(notA), undefined);
  t.same(takeAll(rounds), ['a1', 'a2']);
  t.end();
});

t.test('what waits can be taken all at once', (t) => {
  const rounds = new Rounds<string>();
  for (const item of ['a1', 'a2']) rounds.push('a', item);
  rounds.push('b', 'b1');
  t.equal(rounds.size, 2);
  t.same(rounds.clear().sort(), ['a1', 'a2', 'b1']);
  t.equal(rounds.size, 0);
  t.equal(rounds.take(), undefined);
  t.end();
});
