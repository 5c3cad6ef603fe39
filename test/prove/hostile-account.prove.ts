import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { measureBesideFloods } from '../support/beside-floods.ts';
import { ANOTHER_SERVICE, HOSTILE_KINDS } from '../support/flood-order.ts';
import type { Times } from '../support/other-account.ts';

/**
 * `PROVE_HOSTILE_ROUNDS` makes it shorter or longer, `PROVE_HOSTILE_KINDS` names some kinds, with commas. A machine that
 * does nothing else is needed: percentiles are compared.
 */
const ROUNDS = Number(process.env.PROVE_HOSTILE_ROUNDS ?? 12);
const named = process.env.PROVE_HOSTILE_KINDS?.split(',');
const KINDS = HOSTILE_KINDS.filter((kind) => named?.includes(kind) ?? true);
const COUNTS = { taps: 400, lists: 100, uploads: 20, 'sign-ins': 10 };
const SOCKETS = 50;
const TIMES = 2;

t.test(
  "whatever one account does, another's taps, lists, uploads and sign-ins stay within twice their own p99",
  { timeout: 3_500_000 },
  async (t) => {
    const phases = Array.from({ length: ROUNDS }, () => ['nothing', ANOTHER_SERVICE, ...KINDS] as const).flat();
    const found = await measureBesideFloods(phases, { counts: COUNTS, sockets: SOCKETS });
    for (const what of Object.keys(COUNTS) as (keyof Times)[]) {
      const timesOf = (kind: string) =>
        found.filter((phase) => phase.kind === kind).flatMap(({ times }) => times[what]);
      const idleMs = percentile(timesOf('nothing'), 0.99);
      const besideAnotherMs = percentile(timesOf(ANOTHER_SERVICE), 0.99);
      for (const kind of ['nothing', ANOTHER_SERVICE, ...KINDS]) {
        const times = timesOf(kind);
        const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(times, share)) as [number, number, number];
        const told = `p50 ${p50.toFixed(2)}, p90 ${p90.toFixed(2)}, p99 ${p99.toFixed(2)} ms`;
        t.comment(`${what} beside ${kind}: ${times.length}, ${told}`);
        const [own, another] = [idleMs, besideAnotherMs].map((ms) => `${(p99 / ms).toFixed(2)} times`);
        t.comment(`${what} beside ${kind}: ${another} those beside a flood of another service`);
        // The control tells what the shared processors cost: nothing in the service can be blamed for it.
        if (kind !== ANOTHER_SERVICE)
          t.ok(p99 <= idleMs * TIMES, `${what} beside ${kind}: ${own} those of an idle service`);
      }
    }
  },
);
