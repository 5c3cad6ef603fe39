import t from 'tap';
import { surviveChaos } from '../support/survive-chaos.ts';

t.test('a hundred thousand connections that are cut at any byte, in any way, leave nothing behind', (t) =>
  surviveChaos(t, 100_000),
);
