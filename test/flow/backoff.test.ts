import t from 'tap';
import { backoffMs } from '../../server/flow/backoff.ts';

const PLAN = { firstMs: 1_000, factor: 3, maxMs: 20_000 };

t.test('the wait grows by its factor up to its cap, with half of it left to chance', async (t) => {
  const waits = (random: number) => [1, 2, 3, 4, 50].map((failures) => backoffMs(PLAN, failures, () => random));
  t.strictSame(waits(1), [1_000, 3_000, 9_000, 20_000, 20_000]);
  t.strictSame(waits(0), [500, 1_500, 4_500, 10_000, 10_000]);
});
