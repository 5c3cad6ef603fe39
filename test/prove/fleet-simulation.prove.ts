import t from 'tap';
import { simulateFleet } from '../support/fleet-simulation.ts';

const { PROVE_FLEET_SEEDS = '10000' } = process.env;

t.test(`edges and hosts keep their promises in ${PROVE_FLEET_SEEDS} courses`, async (t) => {
  for (let seed = 1; seed <= Number(PROVE_FLEET_SEEDS); seed++) {
    const findings = await simulateFleet({ seed });
    if (findings.length > 0) t.fail(`seed ${seed}: ${findings.slice(0, 5).join('; ')}`);
  }
});
