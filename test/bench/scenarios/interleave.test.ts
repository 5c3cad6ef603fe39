import t from 'tap';
import { interleave } from '../../../bench/scenarios/interleave.ts';

t.test('items take turns, and the warm-up round is thrown away', async (t) => {
  const turns: string[] = [];
  const found = await interleave(['a', 'b'], 2, async (item, round) => {
    turns.push(item);
    return `${item}${round}`;
  });
  t.equal(turns.join(''), 'ababab');
  t.same(found, [
    ['a1', 'a2'],
    ['b1', 'b2'],
  ]);
});
