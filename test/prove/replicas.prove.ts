import t from 'tap';
import { simulateReplicas } from '../support/replica-simulation.ts';

const { PROVE_REPLICA_SEEDS = '2000' } = process.env;

t.test(`processes with one database keep their promises in ${PROVE_REPLICA_SEEDS} courses`, async (t) => {
  for (let seed = 1; seed <= Number(PROVE_REPLICA_SEEDS); seed++) {
    const findings = await simulateReplicas({ seed });
    if (findings.length > 0) t.fail(`seed ${seed}: ${findings.slice(0, 5).join('; ')}`);
  }
});
