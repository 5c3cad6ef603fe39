import t from 'tap';
import { simulateFleet, type Without } from '../support/fleet-simulation.ts';

const SEEDS = 200;
/** Where late frames of a host that was started anew met its new pictures. */
const FOUND = [3029, 3696];

t.test('edges and hosts keep their promises over a network that does what it wants', async (t) => {
  const seeds = [...Array.from({ length: SEEDS }, (_, index) => index + 1), ...FOUND];
  for (const seed of seeds) {
    const findings = await simulateFleet({ seed });
    if (findings.length > 0) t.fail(`seed ${seed}: ${findings.slice(0, 5).join('; ')}`);
  }
  t.pass(`${seeds.length} seeds`);
});

for (const without of ['epochs', 'frame numbers'] as const satisfies readonly Without[]) {
  t.test(`without ${without} a promise is broken, and that is found`, async (t) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const findings = await simulateFleet({ seed, without });
      if (findings.length > 0) {
        t.pass(`seed ${seed}: ${findings[0]}`);
        return;
      }
    }
    t.fail('nothing was found');
  });
}

t.test('the same seed has the same course', async (t) => {
  const courses = [
    await simulateFleet({ seed: 5, without: 'frame numbers' }),
    await simulateFleet({ seed: 5, without: 'frame numbers' }),
  ];
  t.strictSame(courses[0], courses[1]);
});
