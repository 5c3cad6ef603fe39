import t from 'tap';
import { startServer } from '../support/server.ts';
import { NO_VIOLATIONS, surviveCuts } from '../support/survive-cuts.ts';

const server = await startServer();
t.teardown(() => server.close());

t.test('nothing is lost, doubled or disordered by a network that cuts connections at any byte', async (t) => {
  const wanted = { cuts: 40, interactions: 800 };
  const { violations, cuts, requests, resumedMs } = await surviveCuts(t, server, wanted);
  t.strictSame(violations, NO_VIOLATIONS);
  t.ok(requests >= wanted.interactions);
  t.ok(cuts.finish > 0 && cuts.reset > 0 && cuts['half-open'] > 0, 'in every way');
  t.ok(resumedMs.length > wanted.cuts / 4, `${resumedMs.length} resumed`);
});
