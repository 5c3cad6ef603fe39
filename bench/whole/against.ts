import { formatSideBySide, type Pair } from '../report/side-by-side.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type RunEvents, runScenario } from './run-scenario.ts';
import type { ScenarioOrder } from './scenario-main.ts';

const METHOD = `Ratios of the figures here to those there: below 1 is less here. Medians over pairs of measurements that took turns.`;

/**
 * Runs a scenario of this checkout and of another one in turns, in as many pairs as there are rounds, so that the state of the
 * machine affects both sides of a comparison. Rejects if either side fails.
 * @param otherRoot the other checkout, with its packages installed
 */
export async function runAgainst(
  scenario: Scenario,
  otherRoot: string,
  { rounds, ...options }: ScenarioOrder['options'],
  progress: RunEvents['progress'],
): Promise<string> {
  if (scenario.pairs !== undefined) {
    const pairs = await scenario.pairs(otherRoot, { rounds, ...options, progress });
    return `${formatSideBySide(pairs)}\n\n${METHOD}`;
  }
  const events = { progress, report: () => undefined };
  const run = async (root?: string): Promise<object> => {
    const result = await runScenario(scenario, { ...options, rounds: 1 }, events, root);
    if ('error' in result) throw new Error(`${root ?? 'this checkout'}: ${result.error}`);
    return result.figures;
  };
  const pairs: Pair[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`pair ${round} of ${rounds}`);
    // Alternates the order, because each run affects the machine on which the next one starts.
    const there = round % 2 === 1 ? await run(otherRoot) : undefined;
    const here = await run();
    pairs.push({ here, there: there ?? (await run(otherRoot)) });
  }
  return `${formatSideBySide(pairs)}\n\n${METHOD}`;
}
