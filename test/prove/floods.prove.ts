import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { FLOOD_KINDS } from '../support/flood-order.ts';
import { tapThroughFloods } from '../support/flooded-taps.ts';

/** `PROVE_FLOOD_ROUNDS` makes it shorter or longer. A machine that does nothing else is needed: percentiles are compared. */
const ROUNDS = Number(process.env.PROVE_FLOOD_ROUNDS ?? 12);
const SIZE = { taps: 2_000, sockets: 50 };
const TIMES = 3;

t.test(
  "whatever one account sends, another's taps stay within three times their own p99",
  { timeout: 3_500_000 },
  async (t) => {
    const phases = Array.from({ length: ROUNDS }, () => FLOOD_KINDS).flat();
    const found = await tapThroughFloods(phases, SIZE);
    const tapsOf = (kind: string) => found.filter((phase) => phase.kind === kind).flatMap(({ tapsMs }) => tapsMs);
    const idleMs = percentile(tapsOf('nothing'), 0.99);
    for (const kind of FLOOD_KINDS) {
      const taps = tapsOf(kind);
      const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(taps, share)) as [number, number, number];
      t.comment(`${kind}: ${taps.length} taps, p50 ${p50.toFixed(2)}, p90 ${p90.toFixed(2)}, p99 ${p99.toFixed(2)} ms`);
      t.ok(p99 <= idleMs * TIMES, `${kind}: ${(p99 / idleMs).toFixed(2)} times`);
    }
  },
);
