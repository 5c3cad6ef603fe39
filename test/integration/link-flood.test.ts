import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { type LinkPhase, tapThroughLinkFloods } from '../support/link-flooded-taps.ts';

/** At length, with a percentile that a few seconds cannot tell: `test/prove/link-flood.prove.ts`. */
const TAPS = 150;
const PHASES: readonly LinkPhase[] = ['view and control elsewhere', 'view and control'];
const TIMES = 4;
/** Other load on the machine can only make times longer, so one good series is a proof. */
const SERIES = 2;

t.test(
  "links that flood their session hold up its owner's taps little more than a flood of another service, and none is refused",
  { timeout: 240_000 },
  async (t) => {
    let told = '';
    for (let series = 0; series < SERIES; series++) {
      const found = await tapThroughLinkFloods(PHASES, TAPS);
      t.strictSame(
        found.flatMap(({ refused }) => refused),
        [],
      );
      const [control, flooded] = found.map(({ tapsMs }) => percentile(tapsMs, 0.5)) as [number, number];
      told = `${flooded.toFixed(2)} ms, ${control.toFixed(2)} ms beside a flood of another service`;
      if (flooded <= control * TIMES) return void t.pass(told);
    }
    t.fail(told);
  },
);
