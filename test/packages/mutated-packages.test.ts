import t from 'tap';
import { readMutants } from '../support/mutated-packages.ts';

/** Damages every kind of content in turn: bytes, tables, lists and pictures. `npm run prove` reads many more mutants. */
t.test('a package of any bytes is read or refused, and the service goes on', async (t) => {
  const { read, refused, faults, processes } = await readMutants(1_000, 4_711);
  t.comment(`${read} read, ${refused} refused by ${processes} processes`);
  t.same(faults, []);
  t.equal(read + refused, 1_000);
  t.ok(read > 50 && refused > 300, 'both happen');
  t.ok(processes <= 20, `${processes} processes`);
});
