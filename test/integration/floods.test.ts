import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import type { FloodKind } from '../support/flood-order.ts';
import { tapThroughFloods } from '../support/flooded-taps.ts';

/** At length, with every kind and a stricter percentile: `test/prove/floods.prove.ts`. */
const HEAVY: readonly FloodKind[] = ['refused gesture', 'refused body'];
const ROUNDS = 3;
const SIZE = { taps: 20, sockets: 8 };
/** As many bytes with hardly anything to do in them take the machine's time as well, if not the loop's. */
const TIMES = 3;
/** Other load on the machine can only make times longer, so one good series is a proof. */
const SERIES = 2;

t.test(
  "one account's heaviest messages and bodies hold up another's taps no more than light ones",
  { timeout: 115_000 },
  async (t) => {
    let told = '';
    for (let series = 0; series < SERIES; series++) {
      const phases = Array.from({ length: ROUNDS }, () => ['cheap', ...HEAVY] as const).flat();
      const found = await tapThroughFloods(phases, SIZE);
      const middle = (wanted: FloodKind) =>
        percentile(
          found.flatMap(({ kind, tapsMs }) => (kind === wanted ? tapsMs : [])),
          0.5,
        );
      const control = middle('cheap');
      const heavy = HEAVY.map(middle);
      told = `${heavy.map((ms) => ms.toFixed(1)).join(' and ')} ms, ${control.toFixed(1)} ms with light ones`;
      if (heavy.every((ms) => ms <= control * TIMES)) return void t.pass(told);
    }
    t.fail(told);
  },
);
