import t from 'tap';
import { seeded } from '../../../conformance/random.ts';
import { strayFileNames } from './stray-file-names.ts';

t.test('random names of files reach programs through a real shell as they are, or not at all', async (t) => {
  const { stray, taken, refused } = await strayFileNames(1_000, seeded(19));
  t.same(stray, []);
  t.ok(taken > 500 && refused > 50, `${taken} taken, ${refused} refused`);
});
