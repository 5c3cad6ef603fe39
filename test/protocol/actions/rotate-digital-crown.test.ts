import t from 'tap';
import { accept, refuse } from '../checks.ts';

const crown = (delta: unknown) => ({ action: 'rotateDigitalCrown', delta });

t.test('the crown turns by -10,000 to 10,000', async (t) => {
  for (const delta of [-10_000, -1, -0.5, 0.5, 1, 10_000]) t.match(accept(crown(delta)), { delta });
  for (const delta of [-10_001, 10_001, 10_000.001, Number.NaN, Infinity, -Infinity, '1', null, true, undefined]) {
    t.match(refuse(crown(delta), 'delta', t).message, /number from -10000 to 10000$/);
  }
});

t.test('the crown does not turn by nothing', async (t) => {
  for (const delta of [0, -0]) t.equal(refuse(crown(delta), 'delta', t).message, 'must not be 0');
});
