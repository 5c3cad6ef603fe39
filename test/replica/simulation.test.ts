import t from 'tap';
import { simulateReplicas } from '../support/replica-simulation.ts';

const SEEDS = 20;

t.test('processes with one database agree, and keep what they acknowledged, whatever it does', async (t) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const findings = await simulateReplicas({ seed });
    if (findings.length > 0) t.fail(`seed ${seed}: ${findings.slice(0, 5).join('; ')}`);
  }
  t.pass(`${SEEDS} seeds`);
});

t.test('a database that keeps each write is found', async (t) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const [finding] = await simulateReplicas({ seed, isCareless: true });
    if (finding === undefined) continue;
    t.pass(`seed ${seed}: ${finding}`);
    return;
  }
  t.fail('nothing was found');
});
