import t from 'tap';
import { readMutants } from '../support/mutated-packages.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => Date.now() + index);

for (const seed of SEEDS) {
  t.test(`10,000 mutated packages are read or refused, and the service goes on (seed ${seed})`, async (t) => {
    const { read, refused, faults, processes } = await readMutants(10_000, seed);
    t.comment(`${read} read, ${refused} refused by ${processes} processes`);
    t.same(faults, []);
    t.equal(read + refused, 10_000);
  });
}
