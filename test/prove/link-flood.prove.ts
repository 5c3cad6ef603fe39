import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { LINK_PHASES, tapThroughLinkFloods } from '../support/link-flooded-taps.ts';

/** `PROVE_LINK_ROUNDS` makes it shorter or longer. A machine that does nothing else is needed: percentiles are compared. */
const ROUNDS = Number(process.env.PROVE_LINK_ROUNDS ?? 4);
const TAPS = 1_000;
const TIMES = 2;
/** What the service may add to what the same floods cost that are another service's, on the same processors. */
const TIMES_ELSEWHERE = 1.5;

t.test(
  "whatever the links of a session send at once, none of its owner's taps is refused, and their p99 stays within twice its own",
  { timeout: 3_500_000 },
  async (t) => {
    const found = await tapThroughLinkFloods(Array.from({ length: ROUNDS }, () => LINK_PHASES).flat(), TAPS);
    const p99Of = (wanted: string) =>
      percentile(
        found.filter(({ phase }) => phase === wanted).flatMap(({ tapsMs }) => tapsMs),
        0.99,
      );
    for (const phase of LINK_PHASES) {
      const all = found.filter((one) => one.phase === phase);
      const taps = all.flatMap(({ tapsMs }) => tapsMs);
      const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(taps, share)) as [number, number, number];
      t.comment(
        `${phase}: ${taps.length} taps, p50 ${p50.toFixed(2)}, p90 ${p90.toFixed(2)}, p99 ${p99.toFixed(2)} ms`,
      );
      t.comment(
        `${phase}: ${all.map(({ tapsMs }) => percentile(tapsMs, 0.99).toFixed(2)).join(', ')} ms, round by round`,
      );
      t.strictSame(
        all.flatMap(({ refused }) => refused),
        [],
        `${phase}: no tap is refused`,
      );
      const times = p99 / p99Of('nobody');
      t.comment(`${phase}: ${times.toFixed(2)} times`);
      if (phase === 'nobody' || phase.endsWith('elsewhere')) continue;
      // The control tells what the shared processors cost: nothing in the service can be blamed for it.
      const timesElsewhere = p99Of(`${phase} elsewhere`) / p99Of('nobody');
      const added = times / timesElsewhere;
      const told = `${times.toFixed(2)} times its own, where another service's floods make it ${timesElsewhere.toFixed(2)}`;
      t.ok(times <= TIMES, `${phase}: ${told}`);
      t.ok(added <= TIMES_ELSEWHERE, `${phase}: ${added.toFixed(2)} times that beside another service's floods`);
    }
  },
);
