import t from 'tap';
import { type Effect, measureBesideFloods } from '../support/beside-floods.ts';
import { HOSTILE_KINDS } from '../support/flood-order.ts';

/** At length, and with more sockets: `test/prove/hostile-account.prove.ts`. */
const COUNTS = { taps: 200, lists: 50, uploads: 4, 'sign-ins': 3 };
const TIMES = 2;
const MEASUREMENT = { rounds: 1, counts: COUNTS, sockets: 30, share: 0.99, timesMax: TIMES };
/** Other load on the machine can only make times longer, so one good round of a kind is a proof. */
const SERIES = 5;

t.test(
  "whatever one account does, another's taps, lists, uploads and sign-ins stay within twice their own p99",
  { timeout: 900_000 },
  async (t) => {
    let kinds: readonly Effect['kind'][] = HOSTILE_KINDS;
    for (let series = 1; kinds.length > 0; series++) {
      const effects = await measureBesideFloods({ ...MEASUREMENT, kinds });
      const isLast = series === SERIES;
      const bad = new Set(effects.filter(({ times }) => times > TIMES).map(({ kind }) => kind));
      for (const { kind, times, told } of effects) if (isLast || !bad.has(kind)) t.ok(times <= TIMES, told);
      kinds = isLast ? [] : kinds.filter((kind) => bad.has(kind));
    }
  },
);
