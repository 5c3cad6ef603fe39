import t from 'tap';
import { systemClock } from '../../server/flow/clock.ts';
import { controlEngine } from '../support/control-engine.ts';
import { sendHostileFrames } from '../support/hostile-run.ts';

/** `PROVE_HOSTILE_FRAMES` makes it shorter or longer, `PROVE_HOSTILE_SEED` another one. */
const FRAMES = Number(process.env.PROVE_HOSTILE_FRAMES ?? 10_000_000);
const SEED = Number(process.env.PROVE_HOSTILE_SEED ?? 1);
/** Of one engine, so that it is seen early which seed does what. */
const PART = 500_000;

t.test(
  `${FRAMES} messages with hostile names and values anywhere make no exception`,
  { timeout: 3_500_000 },
  async (t) => {
    const startedMs = performance.now();
    let answers = 0;
    for (let part = 0; part * PART < FRAMES; part++) {
      const engine = await controlEngine(systemClock);
      ({ answers } = await sendHostileFrames(engine, Math.min(PART, FRAMES - part * PART), SEED + part));
      t.same(engine.faults.slice(0, 3), [], `seed ${SEED + part}: ${answers} answers`);
    }
    t.comment(`${Math.round((FRAMES / (performance.now() - startedMs)) * 1_000)} messages a second`);
  },
);
