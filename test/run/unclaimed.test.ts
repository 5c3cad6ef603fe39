import t from 'tap';
import { unclaimed } from './unclaimed.ts';

const FILES = ['test/one.test.ts', 'test/a room/two.test.ts', 'test/three.test.ts', 'test/four.test.ts'];

t.test('each file is given once, to whoever asks first', async (t) => {
  const folder = t.testdir();
  const [one, other] = [unclaimed(FILES, folder, 10), unclaimed(FILES.toReversed(), folder, 10)];
  const given: unknown[] = [];
  for (let turn = 0; turn < FILES.length / 2; turn++) given.push(one.next().value, other.next().value);
  t.same(given, [FILES[0], FILES[3], FILES[1], FILES[2]]);
  t.same([...one, ...other], []);
});

t.test('one process takes no more than it may', async (t) => {
  const folder = t.testdir();
  t.same([...unclaimed(FILES, folder, 3)], FILES.slice(0, 3));
  t.same([...unclaimed(FILES, folder, 3)], FILES.slice(3));
});

t.test('a folder that is not there is told', async (t) => {
  t.throws(() => [...unclaimed(FILES, `${t.testdir()}/absent`, 3)], { code: 'ENOENT' });
});
