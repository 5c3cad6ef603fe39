import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { measureBesideFloods } from '../support/beside-floods.ts';
import { ANOTHER_SERVICE, HOSTILE_KINDS } from '../support/flood-order.ts';
import type { Times } from '../support/other-account.ts';

const COUNTS = { taps: 200, lists: 50, uploads: 1, 'sign-ins': 3 };
const SOCKETS = 30;
/** Medians: the proof of an hour compares percentiles, which a few seconds cannot. */
const TIMES = { taps: 5, lists: 4, 'sign-ins': 4 };

t.test(
  "whatever one account does, another's taps, lists and sign-ins take about as long as beside a flood of another service",
  { timeout: 300_000 },
  async (t) => {
    const found = await measureBesideFloods([ANOTHER_SERVICE, ...HOSTILE_KINDS], { counts: COUNTS, sockets: SOCKETS });
    for (const what of Object.keys(TIMES) as (keyof typeof TIMES)[]) {
      const medianOf = (kind: string) => {
        const times = found
          .filter((phase) => phase.kind === kind)
          .flatMap(({ times }) => times[what satisfies keyof Times]);
        t.equal(times.length, COUNTS[what], `all ${what} beside ${kind} are answered`);
        return percentile(times, 0.5);
      };
      const besideAnotherMs = medianOf(ANOTHER_SERVICE);
      for (const kind of HOSTILE_KINDS) {
        const times = medianOf(kind) / besideAnotherMs;
        t.ok(times <= TIMES[what], `${what} beside ${kind}: ${times.toFixed(2)} times`);
      }
    }
  },
);
