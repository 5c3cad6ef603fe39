import t from 'tap';
import { startServer } from '../support/server.ts';
import { NO_VIOLATIONS, surviveCuts } from '../support/survive-cuts.ts';

const server = await startServer();
t.teardown(() => server.close());

/** On the loopback, over a proxy that delays half of the connections by a millisecond each way. */
const RESUMED_MS = 50;

t.test('a thousand cuts at any byte of twenty thousand interactions lose nothing and double nothing', async (t) => {
  const wanted = { cuts: 1_000, interactions: 20_000 };
  const { violations, cuts, requests, resumedMs } = await surviveCuts(t, server, wanted);
  t.strictSame(violations, NO_VIOLATIONS);
  t.ok(requests >= wanted.interactions, `${requests} requests`);
  t.equal(cuts.finish + cuts.reset + cuts['half-open'], wanted.cuts);
  const at = (share: number) => resumedMs[Math.floor(resumedMs.length * share)] ?? Number.POSITIVE_INFINITY;
  const figures = [0.5, 0.9, 0.99, 0.999].map((share) => `${share * 100} %: ${at(share).toFixed(1)} ms`);
  t.comment(`${JSON.stringify(cuts)}, ${requests} requests, ${resumedMs.length} resumed within ${figures.join(', ')}`);
  t.ok(at(0.99) < RESUMED_MS, `${at(0.99)} ms`);
});
